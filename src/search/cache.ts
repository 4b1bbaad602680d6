/**
 * Caches rankings by query. The least recently used one is dropped first, and each expires after a while. The caller
 * stores the library's state with each ranking and compares it, so that no ranking can be stale.
 */
export class RankingCache<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly until: number }>();
  readonly #sizeMax: number;
  readonly #lifetimeMs: number;

  constructor(sizeMax = 1000, lifetimeMs = 5 * 60_000) {
    this.#sizeMax = sizeMax;
    this.#lifetimeMs = lifetimeMs;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.until < performance.now()) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: performance.now() + this.#lifetimeMs });
    if (this.#entries.size > this.#sizeMax) this.#entries.delete(this.#entries.keys().next().value!);
  }
}
