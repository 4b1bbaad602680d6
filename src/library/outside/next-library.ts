import { SelfsameError } from "../../errors/selfsame-error.ts";
import type { LibraryParts } from "../library-parts.ts";
import { deleteSetting, readSetting, writeSetting } from "../setting.ts";

/** A large ingest is written to the library's path with this at its end, and then takes the library's place. */
const NEXT = ".next";
/** The state of the library that the next one was copied from. */
const BASE = "ingest.base";
/** The files that are being ingested. */
const JOB = "ingest.job";

/** A library that will take the place of another. */
export interface NextLibrary {
  readonly parts: LibraryParts;
  /** The state that it was copied from. */
  readonly base: string;
}

/**
 * Opens the next state of a library: a copy of it, or what an ingest of the same files left when it was stopped. No other
 * process can open it meanwhile.
 *
 * @param job what is ingested; null if a stopped ingest cannot go on
 */
export async function openNext(parts: LibraryParts, job: string | null): Promise<NextLibrary> {
  const { database } = parts;
  if (database.hasBeside(NEXT)) {
    const left = job === null ? null : await resumed(parts, job);
    if (left !== null) return left;
    database.removeBeside(NEXT);
  }
  const base = database.snapshot(() => {
    database.copyBeside(NEXT);
    return stateOf(parts);
  });
  const next = await opened(parts);
  next.database.transaction(() => {
    writeSetting(next.database, BASE, base);
    if (job !== null) writeSetting(next.database, JOB, job);
  });
  return { parts: next, base };
}

async function resumed(parts: LibraryParts, job: string): Promise<NextLibrary | null> {
  const next = await opened(parts);
  const base = readSetting(next.database, BASE, "a state of a library");
  const left = readSetting(next.database, JOB, "an ingest");
  if (base !== null && base === parts.database.snapshot(() => stateOf(parts)) && left === job)
    return { parts: next, base };
  await closeNext(next);
  return null;
}

async function opened(parts: LibraryParts): Promise<LibraryParts> {
  const next = await parts.openBeside(parts.database.besidePath(NEXT));
  try {
    // One process at a time, from now until it is closed.
    next.database.exec("PRAGMA locking_mode = exclusive");
    next.database.transaction(() => next.state.checkCanon());
    return next;
  } catch (error) {
    await closeNext(next);
    throw error;
  }
}

/** Puts the next library in the place of the old one. Whenever the process ends, the old one or the new one is there. */
export async function swapNext(parts: LibraryParts, { parts: next, base }: NextLibrary): Promise<void> {
  next.database.transaction(() => {
    deleteSetting(next.database, BASE);
    deleteSetting(next.database, JOB);
  });
  await closeNext(next);
  parts.database.replaceByBeside(NEXT, () => {
    if (stateOf(parts) === base) return;
    parts.database.removeBeside(NEXT);
    throw new SelfsameError(
      "DATABASE_BUSY",
      `expected ${parts.database.name} to stay as it was during the ingest, got a write by another process`,
      "Ingest again: what the other process wrote is kept",
    );
  });
}

/** Closes the next library, and removes it unless it is to be continued. */
export async function abandonNext(
  parts: LibraryParts,
  { parts: next }: NextLibrary,
  isKept: boolean,
): Promise<void> {
  await closeNext(next);
  if (!isKept) parts.database.removeBeside(NEXT);
}

async function closeNext({ semantic, embedder, database }: LibraryParts): Promise<void> {
  await semantic.close();
  embedder.close();
  database.close();
}

function stateOf({ state }: LibraryParts): string {
  const { root, metadataRoot } = state.roots();
  return `${root} ${metadataRoot}`;
}
