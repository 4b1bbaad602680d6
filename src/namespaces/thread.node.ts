import { Worker } from "node:worker_threads";
import { errorOfRecord } from "../errors/error-record.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { ReaderMessage } from "./reader-protocol.ts";

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onPartial: ((answer: never) => void) | undefined;
}

/** A thread that answers one request at a time. It keeps the process alive only while it works. */
export class Thread {
  readonly #worker: Worker;
  #waiting: Waiting | null = null;
  #isDead = false;

  constructor(file: URL, data: unknown) {
    this.#worker = new Worker(file, { workerData: data });
    this.#worker.unref();
    this.#worker.on("message", (message: ReaderMessage) => this.#hear(message));
    this.#worker.on("error", (error) => this.#die(error));
    this.#worker.on("exit", (code) => this.#die(new Error(`the thread ended with exit code ${code}`)));
  }

  /** Whether it waits for work. */
  get isIdle(): boolean {
    return this.#waiting === null && !this.#isDead;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Sends a request and returns its answer. @throws {SelfsameError} WORKER_FAILED if the thread dies */
  ask<T>(request: unknown, onPartial?: (answer: never) => void): Promise<T> {
    if (!this.isIdle) throw new Error("the thread is busy");
    return new Promise<unknown>((resolve, reject) => {
      this.#worker.postMessage(request); // throws if a value cannot be sent
      this.#waiting = { resolve, reject, onPartial };
      this.#worker.ref();
    }) as Promise<T>;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #hear(message: ReaderMessage): void {
    const waiting = this.#waiting;
    if (waiting === null) return;
    if (message.type === "partial") {
      waiting.onPartial?.(message.answer as never);
      return;
    }
    this.#settle();
    if (message.type === "done") waiting.resolve(message.value);
    else waiting.reject(errorOfRecord(message.error, "WORKER_FAILED"));
  }

  #die(reason: Error): void {
    this.#isDead = true;
    const waiting = this.#waiting;
    this.#settle();
    waiting?.reject(
      new SelfsameError("WORKER_FAILED", `expected a working thread, got ${reason.message}`, "Try again", {
        cause: reason,
      }),
    );
  }

  #settle(): void {
    this.#waiting = null;
    this.#worker.unref();
  }
}
