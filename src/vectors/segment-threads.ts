import type { Build } from "../engine/engine.ts";
import { threads } from "../engine/threads.ts";
import type { WorkerHandle } from "../engine/threads-port.ts";
import { errorOfRecord } from "../errors/error-record.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { type SegmentRequest, WAITING } from "./segment-protocol.ts";

/** One thread that holds segments. Once it has failed, it stays so: what it held is loaded elsewhere. */
export class SegmentThread {
  readonly #handle: WorkerHandle;
  #failure: string | null = null;
  #segments = 0;

  private constructor(handle: WorkerHandle) {
    this.#handle = handle;
  }

  /** Starts a thread, and returns it when it has its engine. */
  static async start(build: Build): Promise<SegmentThread> {
    const handle = threads.start("segments");
    const thread = new SegmentThread(handle);
    try {
      await new Promise<void>((resolve, reject) => {
        handle.onMessage((error) => {
          if (error === null) resolve();
          else reject(errorOfRecord(error as Parameters<typeof errorOfRecord>[0], "WORKER_FAILED"));
        });
        handle.onFailure((reason) => {
          thread.#failure ??= reason.message;
          reject(thread.#error());
        });
        thread.post({ type: "start", build });
      });
    } catch (error) {
      thread.stop();
      throw error;
    }
    handle.release();
    return thread;
  }

  get isAlive(): boolean {
    return this.#failure === null;
  }

  /** Returns the number of one more segment. */
  nextSegment(): number {
    return this.#segments++;
  }

  post(request: SegmentRequest, transfer?: ArrayBuffer[]): void {
    if (this.isAlive) this.#handle.post(request, transfer);
  }

  /** Waits until the state is no longer WAITING. A thread that takes longer is given up. */
  wait(state: Int32Array, ms: number): void {
    if (this.isAlive && Atomics.wait(state, 0, WAITING, ms) === "timed-out") {
      this.#failure ??= `no answer within ${ms} ms`;
      this.#handle.stop();
    }
    if (Atomics.load(state, 0) === WAITING) throw this.#error();
  }

  stop(): void {
    this.#failure ??= "it was stopped";
    this.#handle.stop();
  }

  #error(): SelfsameError {
    return new SelfsameError("WORKER_FAILED", `expected a working thread, got ${this.#failure}`, "Try again");
  }
}

/** The threads of one index, beside the caller's own. */
export class SegmentThreads {
  readonly #threads: readonly SegmentThread[];

  private constructor(started: readonly SegmentThread[]) {
    this.#threads = started;
  }

  /** Starts up to `count` threads; where they cannot share memory or cannot be started, fewer or none. */
  static async start(count: number, build: Build): Promise<SegmentThreads> {
    const wanted = threads.canShare ? count : 0;
    const started = await Promise.allSettled(
      Array.from({ length: wanted }, () => SegmentThread.start(build)),
    );
    return new SegmentThreads(started.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])));
  }

  /** How many threads work. */
  get count(): number {
    return this.#threads.filter(({ isAlive }) => isAlive).length;
  }

  /**
   * Returns a function that says where the next segment goes, by its number of vectors: to the thread with the fewest, or
   * to the caller's own (null).
   */
  places(): (vectors: number) => SegmentThread | null {
    const places = [...this.#threads.filter(({ isAlive }) => isAlive), null].map((thread) => ({
      thread,
      vectors: 0,
    }));
    return (vectors) => {
      const place = places.reduce((least, each) => (each.vectors < least.vectors ? each : least));
      place.vectors += vectors;
      return place.thread;
    };
  }

  close(): void {
    for (const thread of this.#threads) thread.stop();
  }
}
