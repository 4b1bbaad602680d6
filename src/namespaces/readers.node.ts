import { SelfsameError } from "../errors/selfsame-error.ts";
import type { OpenOptions } from "../library/open-options.ts";
import type { ReaderRequest, ReaderStart } from "./reader-protocol.ts";
import { Thread } from "./thread.node.ts";

interface Reader {
  readonly thread: Thread;
  /** The namespaces that it has open. */
  readonly open: Set<string>;
}

interface Job {
  readonly request: ReaderRequest;
  readonly onPartial: ((answer: never) => void) | undefined;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Threads that search. Requests wait in one line, so that no thread is idle while another has two. A thread that has
 * the namespace open is preferred: at low load, few of them hold its vectors.
 */
export class Readers {
  readonly #count: number;
  readonly #start: ReaderStart;
  readonly #readers: Reader[] = [];
  readonly #line: Job[] = [];
  /** Called when a thread becomes idle. */
  readonly #closing = new Set<() => void>();
  #isClosed = false;

  constructor(count: number, library: OpenOptions) {
    this.#count = count;
    this.#start = { library };
  }

  /** Runs a request in some thread. */
  run<T>(request: ReaderRequest, onPartial?: (answer: never) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#line.push({ request, onPartial, resolve: resolve as (value: never) => void, reject });
      this.#next();
    });
  }

  /** Closes a namespace in every thread that has it open. Nobody may be searching it. */
  async close(name: string): Promise<void> {
    const holders = this.#readers.filter(({ open }) => open.has(name));
    await Promise.all(holders.map((reader) => this.#closeIn(reader, name)));
  }

  /** Ends all threads. Work that waits is refused. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    const refusal = new SelfsameError("BAD_ARGUMENT", "expected open namespaces, got closed ones");
    for (const { reject } of this.#line.splice(0)) reject(refusal);
    await Promise.all(this.#readers.splice(0).map(({ thread }) => thread.stop()));
  }

  async #closeIn(reader: Reader, name: string): Promise<void> {
    while (!reader.thread.isIdle && !reader.thread.isDead)
      await new Promise<void>((resolve) => this.#closing.add(resolve));
    reader.open.delete(name);
    if (reader.thread.isDead) return;
    await reader.thread.ask({ type: "close", name }).catch(() => undefined);
    this.#idle();
  }

  #next(): void {
    while (this.#line.length > 0) {
      const { name } = this.#line[0]!.request;
      const reader = this.#idleReader(name);
      if (reader === null) return;
      const job = this.#line.shift()!;
      reader.open.add(name);
      reader.thread
        .ask(job.request, job.onPartial)
        .then((value) => job.resolve(value as never), job.reject)
        .finally(() => this.#idle());
    }
  }

  #idleReader(name: string): Reader | null {
    if (this.#isClosed) return null;
    for (const dead of this.#readers.filter(({ thread }) => thread.isDead))
      this.#readers.splice(this.#readers.indexOf(dead), 1);
    const idle = this.#readers.filter(({ thread }) => thread.isIdle);
    const known = idle.find(({ open }) => open.has(name)) ?? idle[0];
    if (known !== undefined) return known;
    if (this.#readers.length >= this.#count) return null;
    const file = new URL("./reader-worker.node.js", import.meta.url);
    const reader = { thread: new Thread(file, this.#start), open: new Set<string>() };
    this.#readers.push(reader);
    return reader;
  }

  /** Namespaces that are to be closed go first: somebody waits for their place. */
  #idle(): void {
    const waiting = [...this.#closing];
    this.#closing.clear();
    for (const wake of waiting) wake();
    queueMicrotask(() => this.#next());
  }
}
