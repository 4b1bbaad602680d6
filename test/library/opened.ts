import type { OpenOptions } from "selfsame";
import { Library } from "#dist/library/library.js";
import type { LibraryParts } from "#dist/library/library-parts.js";
import { openParts } from "#dist/library/open.js";

/** A library with its parts in sight. */
export interface Opened {
  readonly library: Library;
  readonly parts: LibraryParts;
}

/** With the tiny model in this thread: some hundred chunks a second, and nothing left running if a test fails. */
export const TINY: OpenOptions = { model: "tiny", workers: 1 };

export async function openTiny(name: string, options: OpenOptions = {}): Promise<Opened> {
  const parts = await openParts(name, { ...TINY, ...options });
  return { library: new Library(parts), parts };
}
