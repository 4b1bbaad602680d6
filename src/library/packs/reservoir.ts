/** A random sample of a stream of unknown length: every item has the same chance. No result depends on it. */
export class Reservoir<T> {
  readonly #size: number;
  readonly #below: (count: number) => number;
  readonly items: T[] = [];
  /** How many were offered. */
  #seen = 0;

  /** @param below returns a random whole number below its argument */
  constructor(size: number, below: (count: number) => number = hostBelow) {
    this.#size = size;
    this.#below = below;
  }

  /** @param make is called only if the item is chosen */
  offer(make: () => T): void {
    this.#seen++;
    if (this.items.length < this.#size) {
      this.items.push(make());
      return;
    }
    const at = this.#below(this.#seen);
    if (at < this.#size) this.items[at] = make();
  }
}

/** 53 random bits: the chance of a number below 2³² is equal to one in two million. */
function hostBelow(count: number): number {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return Math.floor((((high! & 0x1f_ffff) * 2 ** 32 + low!) / 2 ** 53) * count);
}
