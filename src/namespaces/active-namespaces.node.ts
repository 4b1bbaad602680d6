import { AsyncLocalStorage } from "node:async_hooks";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Resource } from "./connection.ts";

/** One use of a namespace. */
interface Lease {
  readonly since: number;
}

/** A namespace that may be open now. */
interface Active<T extends Resource> {
  readonly name: string;
  readonly resource: T;
  /** The leases that run, the oldest first. It is closed only without any. */
  readonly leases: Set<Lease>;
}

interface Waiting<T extends Resource> {
  readonly name: string;
  readonly lease: Lease;
  readonly resolve: (active: Active<T>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Decides which namespaces are open: at most `max`, the least recently used one is closed when another is needed, and
 * never one in use.
 *
 * Those that wait for a place get it in the order in which they asked. While one waits and all are in use, one of them
 * is given up: its running calls finish, and new ones wait in the same line. So namespaces that are in constant use
 * cannot keep others out.
 */
export class ActiveNamespaces<T extends Resource> {
  readonly #max: number;
  readonly #waitMs: number;
  readonly #make: (name: string) => T;
  /** Least recently used first. */
  readonly #active = new Map<string, Active<T>>();
  /** Namespaces that are being closed, or that one caller has for itself: others wait. */
  readonly #barred = new Map<string, Promise<void>>();
  /** The namespace that new calls do not get, because the first one in line waits for its place. */
  #givenUp: Active<T> | null = null;
  /** The names of the namespaces that the current call has already. What is within it may go on: it waits for that. */
  readonly #held = new AsyncLocalStorage<readonly string[]>();
  /** Those that wait for a place, in the order in which they asked. */
  readonly #line: Waiting<T>[] = [];
  #isServing = false;
  /** When a call of the namespace that is given up last ended, or the first one in line began to wait. */
  #progressMs = 0;
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
    const held = this.#held.getStore() ?? [];
    const lease = { since: performance.now() };
    const active = await this.#take(name, lease, held.includes(name));
    try {
      return await this.#held.run([...held, name], () => work(active.resource));
    } finally {
      active.leases.delete(lease);
      if (active === this.#givenUp) this.#progressMs = performance.now();
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
        while (active.leases.size > 0) await this.#change(deadline, `${name} to be unused`, "it is in use");
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
      while (active.leases.size > 0) await this.#change(Number.POSITIVE_INFINITY, "", "");
      this.#active.delete(active.name);
      await active.resource.close();
    }
  }

  /** Returns the namespace, open, with the lease. */
  async #take(name: string, lease: Lease, isWithin: boolean): Promise<Active<T>> {
    while (this.#barred.has(name)) await this.#barred.get(name);
    const isGivenUp = this.#givenUp !== null && this.#givenUp.name === name && !isWithin;
    const known = isGivenUp ? null : this.#touched(name);
    if (known !== null) {
      known.leases.add(lease);
      return known;
    }
    return new Promise((resolve, reject) => {
      this.#line.push({ name, lease, resolve, reject });
      void this.#serve();
    });
  }

  /** Returns the namespace if it is open, as the one that was used last. */
  #touched(name: string): Active<T> | null {
    this.#refuseIfClosed();
    const known = this.#active.get(name);
    if (known === undefined) return null;
    this.#active.delete(name);
    this.#active.set(name, known);
    return known;
  }

  /** Gives places to those that wait, one after the other. */
  async #serve(): Promise<void> {
    if (this.#isServing) return;
    this.#isServing = true;
    for (let first = this.#line[0]; first !== undefined; first = this.#line[0]) {
      try {
        this.#progressMs = performance.now();
        await this.#place(first.name);
      } catch (error) {
        this.#line.shift();
        first.reject(error);
      }
      this.#givenUp = null;
    }
    this.#isServing = false;
  }

  /** Waits for a place for a namespace. All that wait for it by then get it. */
  async #place(name: string): Promise<void> {
    for (;;) {
      while (this.#barred.has(name)) await this.#barred.get(name);
      const known = this.#touched(name);
      if (known !== null) return this.#admit(known);
      if (this.#active.size < this.#max) {
        const active = { name, resource: this.#make(name), leases: new Set<Lease>() };
        this.#active.set(name, active);
        return this.#admit(active);
      }
      const all = [...this.#active.values()];
      const unused = all.find(({ leases }) => leases.size === 0);
      if (unused !== undefined) {
        await this.#evict(unused);
        continue;
      }
      this.#givenUp = all.reduce((best, each) => (oldest(each) > oldest(best) ? each : best));
      // As long as its calls end, the wait will: new ones are behind it.
      await this.#change(
        this.#progressMs + this.#waitMs,
        `one of the ${this.#max} namespaces that may be open to be unused`,
        `all in use (${this.names().join(", ")})`,
      );
    }
  }

  #admit(active: Active<T>): void {
    for (const waiting of this.#line.filter(({ name }) => name === active.name)) {
      this.#line.splice(this.#line.indexOf(waiting), 1);
      active.leases.add(waiting.lease);
      waiting.resolve(active);
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

/** The time at which the oldest running use began. The one with the youngest is likely to be unused first. */
function oldest({ leases }: Active<Resource>): number {
  const [first] = leases;
  return first?.since ?? Number.POSITIVE_INFINITY;
}
