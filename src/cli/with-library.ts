import { type Library, open } from "../index.ts";
import { findLibrary } from "./location.ts";

/** The options of a command that reads a library. */
export interface LibraryOptions {
  readonly db?: string;
  readonly model?: string;
  readonly json?: boolean;
}

/** Opens the library that the options name, and closes it after the work. */
export async function withLibrary(
  db: string | undefined,
  { model }: Pick<LibraryOptions, "model">,
  work: (library: Library) => Promise<void>,
) {
  const library = await open(findLibrary(db), model === undefined ? {} : { model });
  try {
    await work(library);
  } finally {
    await library.close();
  }
}
