import { SelfsameError } from "../errors/selfsame-error.ts";

/** What an open namespace holds; `close` frees it. */
export interface Resource {
  close(): Promise<void>;
}

/** A namespace that may be open now. */
export interface Active<T extends Resource> {
  readonly name: string;
  readonly resource: T;
  /** The number of leases. It is closed only without any. */
  users: number;
}

/**
 * Decides which namespaces are open: at most `max`, the least recently used one is closed when another is needed, and
 * never one in use. Those that wait for a place get it in the order in which they asked.
 */
export class ActiveNamespaces<T extends Resource> {
  readonly #max: number;
  readonly #waitMs: number;
  readonly #make: (name: string) => T;
  /** Least recently used first. */
  readonly #active = new Map<string, Active<T>>();
  /** Namespaces that are being closed, or that one caller has for itself: others wait. */
  readonly #barred = new Map<string, Promise<void>>();
  /** The last one that waits for a place. */
  #line: Promise<unknown> = Promise.resolve();
  readonly #wake = new Set<() => void>();
  #isClosed = false;

  constructor(max: number, waitMs: number, make: (name: string) => T) {
    this.#max = max;
    this.#waitMs = waitMs;
    this.#make = make;
  }

  /** The names of those that are open or opening. */
  names(): string[] {
    return [...this.#active.keys()];
  }

  /** Returns an open namespace's resource without using it; null if it is closed. */
  peek(name: string): T | null {
    return this.#active.get(name)?.resource ?? null;
  }

  /** Runs `work` with a namespace, which stays open until the work is done. */
  async lease<R>(name: string, work: (resource: T) => R | Promise<R>): Promise<R> {
    const active = await this.#take(name);
    try {
      return await work(active.resource);
    } finally {
      active.users--;
      this.#changed();
    }
  }

  /** Runs `work` while the namespace is closed and nobody can open it here. Waits for those that use it. */
  async alone<R>(name: string, work: () => R | Promise<R>): Promise<R> {
    const deadline = performance.now() + this.#waitMs;
    while (this.#barred.has(name)) await this.#barred.get(name);
    this.#refuseIfClosed();
    let done = () => {};
    this.#barred.set(name, new Promise((resolve) => (done = resolve)));
    try {
      const active = this.#active.get(name);
      if (active !== undefined) {
        while (active.users > 0) await this.#change(deadline, `${name} to be unused`, "it is in use");
        this.#active.delete(name);
        await active.resource.close();
      }
      return await work();
    } finally {
      this.#barred.delete(name);
      done();
      this.#changed();
    }
  }

  /** Closes all, each when it is unused. Later calls are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#changed();
    while (this.#barred.size > 0) await Promise.all(this.#barred.values());
    for (const active of [...this.#active.values()]) {
      while (active.users > 0) await this.#change(Number.POSITIVE_INFINITY, "", "");
      this.#active.delete(active.name);
      await active.resource.close();
    }
  }

  async #take(name: string): Promise<Active<T>> {
    const known = await this.#touched(name);
    if (known !== null) return known;
    const place = this.#line.then(() => this.#place(name, performance.now() + this.#waitMs));
    this.#line = place.catch(() => undefined);
    return place;
  }

  /** Returns the namespace with one more user, if it is open. */
  async #touched(name: string): Promise<Active<T> | null> {
    while (this.#barred.has(name)) await this.#barred.get(name);
    this.#refuseIfClosed();
    const known = this.#active.get(name);
    if (known === undefined) return null;
    this.#active.delete(name);
    this.#active.set(name, known);
    known.users++;
    return known;
  }

  async #place(name: string, deadline: number): Promise<Active<T>> {
    for (;;) {
      const known = await this.#touched(name);
      if (known !== null) return known;
      if (this.#active.size < this.#max) {
        const active = { name, resource: this.#make(name), users: 1 };
        this.#active.set(name, active);
        return active;
      }
      const unused = [...this.#active.values()].find(({ users }) => users === 0);
      if (unused !== undefined) await this.#evict(unused);
      else
        await this.#change(
          deadline,
          `one of the ${this.#max} namespaces that may be open to be unused`,
          `all in use (${this.names().join(", ")})`,
        );
    }
  }

  async #evict(active: Active<T>): Promise<void> {
    const { name, resource } = active;
    this.#active.delete(name);
    const closing = resource.close().catch(() => undefined);
    this.#barred.set(name, closing);
    await closing;
    this.#barred.delete(name);
  }

  /** Waits until something has changed. @throws {SelfsameError} DATABASE_BUSY after the deadline */
  async #change(deadline: number, expected: string, got: string): Promise<void> {
    const left = deadline - performance.now();
    if (left <= 0)
      throw new SelfsameError(
        "DATABASE_BUSY",
        `expected ${expected} within ${this.#waitMs} ms, got ${got}`,
        "Try again, or give a higher maxActive or waitMs",
      );
    await new Promise<void>((resolve) => {
      const timer = left === Number.POSITIVE_INFINITY ? undefined : setTimeout(() => wake(), left);
      const wake = () => {
        clearTimeout(timer);
        this.#wake.delete(wake);
        resolve();
      };
      this.#wake.add(wake);
    });
  }

  #changed(): void {
    for (const wake of [...this.#wake]) wake();
  }

  #refuseIfClosed(): void {
    if (!this.#isClosed) return;
    throw new SelfsameError(
      "BAD_ARGUMENT",
      "expected open namespaces, got a call after close()",
      "Open the folder again",
    );
  }
}
