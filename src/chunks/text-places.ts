const LF = 0x0a;
const FF = 0x0c;

/**
 * Finds the lines and pages of positions in a text. Each position is at or after the one before it, as the starts of
 * chunks are, so the text is read once. SPEC §11.1
 */
export class TextPlaces {
  readonly #text: Uint8Array;
  #at = 0;
  #line = 1;
  #page = 1;

  constructor(text: Uint8Array) {
    this.#text = text;
  }

  /** Returns the line and the page that the byte at `position` is on, both from 1. */
  at(position: number): { readonly line: number; readonly page: number } {
    for (; this.#at < position; this.#at++) {
      const byte = this.#text[this.#at];
      if (byte === LF) this.#line++;
      else if (byte === FF) this.#page++;
    }
    return { line: this.#line, page: this.#page };
  }
}
