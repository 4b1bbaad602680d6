import { describeValue } from "../../errors/describe-value.ts";
import { badRemote } from "./differences.ts";
import type { PullProgress } from "./pull-options.ts";

/** Counts what a pull has done and reports it. */
export class PullCount {
  readonly #listener: ((event: PullProgress) => void) | undefined;
  readonly #started = performance.now();
  #documents = 0;
  #total = 0;
  /** Bytes of packs that have arrived. */
  bytes = 0;

  constructor(listener: ((event: PullProgress) => void) | undefined) {
    this.#listener = listener;
  }

  comparing(): void {
    this.#tell("comparing", 0);
  }

  /** Sets how many documents more are brought over or removed. */
  expect(documents: number): void {
    this.#total = this.#documents + documents;
  }

  /** Reports that this many documents of the current request are written. */
  within(documents: number): void {
    this.#tell("pulling", documents);
  }

  done(step: "pulling" | "removing", documents: number): void {
    this.#documents += documents;
    this.#tell(step, 0);
  }

  /** Counts the bytes of a pack as they pass. */
  async *counted(pack: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const bytes of pack) {
      if (!(bytes instanceof Uint8Array)) throw badRemote("pieces of bytes", describeValue(bytes));
      this.bytes += bytes.length;
      this.#tell("pulling", 0);
      yield bytes;
    }
  }

  #tell(step: PullProgress["step"], within: number): void {
    if (this.#listener === undefined) return;
    const documents = Math.min(this.#documents + within, this.#total);
    const seconds = (performance.now() - this.#started) / 1000;
    const secondsLeft = documents === 0 ? null : (seconds / documents) * (this.#total - documents);
    this.#listener({ step, documents, documentsTotal: this.#total, bytes: this.bytes, secondsLeft });
  }
}
