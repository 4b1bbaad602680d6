/** A file whose text cannot be read: it is broken, or goes beyond a limit. The file is left out, with this reason. */
export class ExtractFault extends Error {}

/** The most characters that may come out of one file, however small it is. */
const TEXT_MAX = 64 << 20;

/** Throws if a text is longer than any that a person wrote. */
export function checkTextLength(length: number): void {
  if (length > TEXT_MAX) throw new ExtractFault(`more than ${TEXT_MAX} characters of text`);
}

/** Stops work on one file that takes too long. Between steps: a step itself is not interrupted. */
export class Deadline {
  readonly #end = performance.now() + 60_000;

  check(): void {
    if (performance.now() > this.#end) throw new ExtractFault("it took more than 60 seconds");
  }
}
