/** One library that holds what a cluster should hold after some operations: the truth that the cluster is compared with. */
import { type Library, open } from "#dist/index.js";
import type { Step } from "./documents.ts";

export class ReferenceLibrary {
  readonly library: Library;
  #at = 0;
  readonly #steps: ReadonlyMap<number, Step>;

  private constructor(library: Library, steps: ReadonlyMap<number, Step>) {
    this.library = library;
    this.#steps = steps;
  }

  /** @param steps what each operation did, by its place in the cluster's order */
  static async open(
    options: Parameters<typeof open>[1],
    steps: ReadonlyMap<number, Step>,
  ): Promise<ReferenceLibrary> {
    return new ReferenceLibrary(await open(":memory:", options), steps);
  }

  /** Applies the operations up to a place. Places only grow. */
  async advance(sequence: number): Promise<Library> {
    const last = new Map<string, Step>();
    while (this.#at < sequence) {
      const step = this.#steps.get(++this.#at);
      // An operation that was stored without its acknowledgement reaching the client is known by nobody but NATS.
      if (step === undefined) throw new Error(`expected operation ${this.#at} to be known`);
      last.set(step.op === "put" ? step.document.path : step.path, step);
    }
    const steps = [...last.values()];
    await this.library.remove(steps.flatMap((step) => (step.op === "remove" ? [step.path] : [])));
    await this.library.add(steps.flatMap((step) => (step.op === "put" ? [step.document] : [])));
    return this.library;
  }
}
