import { utf8ToString } from "../text/canonical.ts";
import { characterBytes } from "../text/utf8.ts";
import { spaceAt, trimSpace } from "../text/white-space.ts";

/** Longer titles are cut: a title is part of every chunk below it. */
const TITLE_BYTES_MAX = 256;
const SPACE = 0x20;

/** A buffer in which titles are assembled, one at a time. */
const out = new Uint8Array(TITLE_BYTES_MAX);

/** The headings above a position in a text: one title per level. SPEC §11.4 */
export class Outline {
  #levels: { readonly level: number; readonly title: string }[] = [];
  /** Titles, the outermost first; the same array until the next heading. */
  path: readonly string[] = [];

  /**
   * Takes a heading. It ends everything under headings of its level and deeper ones. One without a title does only
   * that.
   */
  enter(level: number, title: Uint8Array): void {
    const text = titleOf(title);
    this.#levels = this.#levels.filter((above) => above.level < level);
    if (text !== "") this.#levels.push({ level, title: text });
    this.path = this.#levels.map((above) => above.title);
  }
}

/** Returns the path in one line, as it is shown and indexed: `Guide > Install > Linux`. */
export function breadcrumb(path: readonly string[]): string {
  return path.join(" > ");
}

/**
 * Replaces each run of White_Space with one space, removes it at the ends, and keeps at most 256 bytes of whole
 * characters.
 */
function titleOf(title: Uint8Array): string {
  let length = 0;
  let isAfterSpace = true;
  for (let at = 0; at < title.length; ) {
    const space = spaceAt(title, at, title.length);
    const bytes = space > 0 ? space : characterBytes(title[at]!);
    const written = space > 0 ? (isAfterSpace ? 0 : 1) : bytes;
    if (length + written > TITLE_BYTES_MAX) break;
    if (space === 0) out.set(title.subarray(at, at + bytes), length);
    else if (written > 0) out[length] = SPACE;
    isAfterSpace = space > 0;
    length += written;
    at += bytes;
  }
  return utf8ToString(out.subarray(0, trimSpace(out, 0, length)));
}
