import { Library, type LibraryParts } from "#dist/library/library.js";
import { type OpenOptions, openParts } from "#dist/library/open.js";

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
