/** A thread, seen from the one that started it. Messages are cloned. */
export interface WorkerHandle {
  /** Buffers in `transfer` are moved to the thread instead. */
  post(message: unknown, transfer?: ArrayBuffer[]): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once if the thread dies or cannot start. The thread sends nothing more. */
  onFailure(listener: (reason: Error) => void): void;
  /** Lets the process end though the thread still waits for messages. */
  release(): void;
  stop(): void;
}

/**
 * What a thread does: embeds texts (src/model/worker.ts), compares vectors (src/vectors/pairs-worker.ts), or holds and
 * searches segments (src/vectors/segment-worker.ts).
 */
export type ThreadKind = "embed" | "pairs" | "segments";

/** How threads are started, and how a thread answers. `#threads` resolves to the host's implementation. */
export interface Threads {
  start(kind: ThreadKind): WorkerHandle;
  /** In a thread: answers each message of the one that started it, unless the answer is undefined. */
  serve(answer: (request: unknown) => Promise<unknown>): void;
  /** How many threads are worth starting. */
  readonly count: number;
  /** Whether threads can share memory, so that a caller can wait for one without leaving its turn of the event loop. */
  readonly canShare: boolean;
}
