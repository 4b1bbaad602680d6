import { type Build, type Library, open } from "../index.ts";
import { findConfig } from "./config.ts";
import { findLibrary } from "./location.ts";
import { ProgressBar } from "./progress-bar.ts";
import { modelOf } from "./with-model.ts";

/**
 * Opens the library that a command reads. The model is the flag's. Without the flag it is the library's own, if that is
 * one of this package's models or the configuration's.
 */
export function openLibrary(
  db: string | undefined,
  {
    model,
    build,
    crossEncoder,
  }: {
    readonly model?: string | undefined;
    readonly build?: Build | "auto";
    readonly crossEncoder?: string | undefined;
  },
): Promise<Library> {
  const file = findLibrary(db);
  const known = model === undefined ? modelOf(findConfig()) : undefined;
  return open(file, {
    onIndexProgress: new ProgressBar().graphs,
    ...(build === undefined ? {} : { build }),
    ...(model === undefined ? {} : { model }),
    ...(crossEncoder === undefined ? {} : { crossEncoder }),
    ...(known === undefined ? {} : { knownModels: [known] }),
  });
}

/** The options of a command that reads a library. */
export interface LibraryOptions {
  readonly db?: string;
  readonly model?: string;
  readonly json?: boolean;
}

/** Opens a library as `openLibrary` does, and closes it after the work. */
export async function withLibrary(
  db: string | undefined,
  { model }: LibraryOptions,
  work: (library: Library) => Promise<void>,
): Promise<void> {
  const library = await openLibrary(db, { model });
  try {
    await work(library);
  } finally {
    await library.close();
  }
}
