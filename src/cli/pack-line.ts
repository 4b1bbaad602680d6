import { counted } from "../errors/index.ts";
import type { PackProgress } from "../index.ts";
import { duration } from "./progress-bar.ts";
import { StatusLine } from "./status-line.ts";

const SHOW_EVERY_MS = 100;

/** Shows the progress of an export or an import on one line of the terminal. */
export class PackLine {
  readonly #status = new StatusLine();
  #shown = 0;

  readonly show = ({
    step,
    documents,
    documentsTotal,
    vectors,
    vectorsTotal,
    secondsLeft,
  }: PackProgress): void => {
    if (performance.now() - this.#shown < SHOW_EVERY_MS) return;
    this.#shown = performance.now();
    const done =
      documentsTotal === 0
        ? `${vectors} of ${counted(vectorsTotal, "vector")}`
        : `${documents} of ${counted(documentsTotal, "document")}`;
    const left = secondsLeft === null ? "" : `, ${duration(secondsLeft)} left`;
    this.#status.show(`${step}: ${done}${left}`);
  };

  clear(): void {
    this.#status.clear();
  }
}
