/** A value that notifies its listeners when it changes. */
export class Value<T> {
  #current: T;
  readonly #listeners = new Set<(value: T) => void>();

  constructor(first: T) {
    this.#current = first;
  }

  get current(): T {
    return this.#current;
  }

  set(next: T): void {
    this.#current = next;
    for (const listener of this.#listeners) listener(next);
  }

  /** Calls the listener now and at every change. */
  watch(listener: (value: T) => void): void {
    this.#listeners.add(listener);
    listener(this.#current);
  }
}
