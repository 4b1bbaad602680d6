import { Breather } from "../engine/breather.ts";
import { abortedError } from "../errors/selfsame-error.ts";

/** Lets long work be stopped: it calls `here` often, which gives the event loop a turn now and then. */
export class Pauses {
  readonly #signal: AbortSignal | undefined;
  readonly #work: string;
  readonly #breather = new Breather();

  /** @param work what is to be done, as an error names it */
  constructor(signal: AbortSignal | undefined, work: string) {
    this.#signal = signal;
    this.#work = work;
  }

  /** @throws {SelfsameError} ABORTED if the work was stopped */
  async here(): Promise<void> {
    await this.#breather.due();
    if (this.#signal?.aborted) throw abortedError(this.#signal, this.#work, "a stop");
  }
}
