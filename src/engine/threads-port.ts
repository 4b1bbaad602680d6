/** A thread, seen from the one that started it. Messages are cloned. */
export interface WorkerHandle {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once if the thread dies or cannot start. The thread sends nothing more. */
  onFailure(listener: (reason: Error) => void): void;
  stop(): void;
}

/** What a thread does: embeds texts (src/model/worker.ts) or compares vectors (src/vectors/pairs-worker.ts). */
export type ThreadKind = "embed" | "pairs";

/** How threads are started, and how a thread answers. `#threads` resolves to the host's implementation. */
export interface Threads {
  start(kind: ThreadKind): WorkerHandle;
  /** In a thread: answers each message of the one that started it. */
  serve(answer: (request: unknown) => Promise<unknown>): void;
  /** How many threads are worth starting. */
  readonly count: number;
}
