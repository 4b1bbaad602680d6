import { toHex } from "../../engine/digest.ts";
import { SelfsameError } from "../../errors/selfsame-error.ts";
import { documentIds } from "../../identity/ids.ts";
import { pathsOf } from "../contents.ts";
import type { LibraryParts } from "../library-parts.ts";
import { CommonState } from "./common-state.ts";
import { badRemote, changedHere } from "./differences.ts";
import { type PulledLibrary, remoteOf } from "./library-remote.ts";
import { openRemote } from "./open-remote.ts";
import { isMetadataOnly, type Plan, type PlannedChange, planPull, readHead } from "./plan.ts";
import type { PulledChange, PullOptions, PullReport } from "./pull-options.ts";
import { PullCount } from "./pull-progress.ts";
import { PullRun, type PullWriter, type Tally } from "./pull-run.ts";
import type { Remote, RemoteHead } from "./remote.ts";

/** How often a pull begins again because one of the two libraries changed meanwhile. */
const ROUNDS = 4;
const PATHS_AT_ONCE = 1000;

/** Opens the other library and pulls from it: `Library.pull`. */
export async function pullFrom(
  parts: LibraryParts,
  writer: PullWriter,
  from: Remote | PulledLibrary | string | URL,
  options: PullOptions,
): Promise<PullReport> {
  if (typeof from !== "string" && !(from instanceof URL)) return pull(parts, writer, remoteOf(from), options);
  const remote = openRemote(parts.engine, from, options.token);
  try {
    return await pull(parts, writer, remote, options);
  } finally {
    await remote.close?.();
  }
}

/** Brings the documents of another library into this one. SPEC §28 */
async function pull(
  parts: LibraryParts,
  writer: PullWriter,
  remote: Remote,
  options: PullOptions,
): Promise<PullReport> {
  const common = new CommonState(parts, options.name ?? remote.name);
  const tally: Tally = { changes: new Map(), vectors: 0, verified: 0, embedded: 0, packs: 0 };
  const count = new PullCount(options.onProgress);
  for (let round = 1; ; round++) {
    count.comparing();
    const head = await readHead(parts, remote);
    try {
      const plan = await planPull(parts, remote, head, common, options);
      if (options.dryRun === true) return preview(parts, remote, plan);
      const run = new PullRun(parts, writer, remote, plan, options, tally, count);
      await run.run();
      remember(parts, common, plan, run.copies, options);
      await parts.database.settled();
      return reported(parts, plan, tally, count.bytes, run.copies.length);
    } catch (error) {
      if (round === ROUNDS || !(await canBeginAgain(parts, remote, head, error))) throw error;
    }
  }
}

/** What was written stays; the next comparison finds what is left. */
async function canBeginAgain(
  parts: LibraryParts,
  remote: Remote,
  head: RemoteHead,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof SelfsameError)) return false;
  if (error.details["changedHere"] === true) return true;
  if (!["BAD_REMOTE", "PACK_OUTDATED", "FILE_MISSING"].includes(error.code)) return false;
  const now = await readHead(parts, remote);
  return now.root !== head.root || now.metadataRoot !== head.metadataRoot;
}

function remember(
  parts: LibraryParts,
  common: CommonState,
  { head, known, changes }: Plan,
  copies: readonly Uint8Array[],
  { mode }: PullOptions,
): void {
  const { database, state } = parts;
  database.transaction(() => {
    if (!common.remember(head, known, changes, copies)) throw changedHere("this library");
    if (mode === "mirror" && !isEqual(state.roots(), head)) throw changedHere("this library");
  });
}

function reported(
  { state }: LibraryParts,
  { head, changes }: Plan,
  { changes: done, vectors, verified, embedded }: Tally,
  bytes: number,
  copies: number,
): PullReport {
  const roots = state.roots();
  const list = [...done.values()];
  const kept = list.filter(({ change }) => change === "kept").length;
  const ours = changes.filter(({ decision, isConflict }) => decision === "keep" && !isConflict).length;
  return {
    ...counts(list),
    ...{ ahead: kept + ours + copies, bytes, vectors, verified, embedded },
    root: roots.root,
    remoteRoot: head.root,
    isSame: isEqual(roots, head),
  };
}

/** Returns what a pull would do. */
async function preview(parts: LibraryParts, remote: Remote, { head, changes }: Plan): Promise<PullReport> {
  const { database, state } = parts;
  const roots = state.roots();
  const listed = changes.filter(({ decision, isConflict }) => decision !== "keep" || isConflict);
  const paths = await pathsOfChanges(parts, remote, listed);
  const list = listed.map((change, i): PulledChange => {
    const { id, isConflict } = change;
    return { documentId: toHex(id), path: paths[i]!, change: foreseen(change), isConflict, copy: null };
  });
  await database.settled();
  return {
    ...counts(list),
    ahead: changes.filter(({ decision }) => decision === "keep" || decision === "ask").length,
    ...{ bytes: 0, vectors: 0, verified: 0, embedded: 0 },
    root: roots.root,
    remoteRoot: head.root,
    isSame: isEqual(roots, head),
  };
}

function foreseen(change: PlannedChange): PulledChange["change"] {
  if (change.decision === "keep") return "kept";
  if (change.decision === "remove") return "removed";
  if (change.decision === "ask") return "undecided";
  return change.here === null ? "added" : isMetadataOnly(change) ? "metadata" : "updated";
}

/** Returns the paths of documents, from the side that has them. The ids prove those that the other side tells. */
async function pathsOfChanges(
  { engine, database, state }: LibraryParts,
  remote: Remote,
  changes: readonly PlannedChange[],
): Promise<(string | null)[]> {
  const ids = changes.map(({ id }) => toHex(id));
  const paths = database.snapshot(() => pathsOf(database, ids));
  const unknown = ids.flatMap((_, i) => (paths[i] === null ? [i] : []));
  for (let from = 0; from < unknown.length; from += PATHS_AT_ONCE) {
    const some = unknown.slice(from, from + PATHS_AT_ONCE);
    const told = await database.idle(() => remote.paths(some.map((i) => ids[i]!)));
    const named = some.flatMap((i, at) => (typeof told[at] === "string" ? [{ i, path: told[at] }] : []));
    const proven = documentIds(
      engine,
      named.map(({ path }) => path),
      state.canon.namespace,
    );
    for (const [at, { i, path }] of named.entries()) {
      if (toHex(proven[at]!) !== ids[i])
        throw badRemote(`the path of the document ${ids[i]}`, "another path");
      paths[i] = path;
    }
  }
  return paths;
}

function counts(changes: readonly PulledChange[]) {
  const number = (...kinds: PulledChange["change"][]) =>
    changes.filter(({ change }) => kinds.includes(change)).length;
  return {
    changes,
    added: number("added"),
    updated: number("updated", "metadata"),
    removed: number("removed"),
    conflicts: changes.filter(({ isConflict }) => isConflict).length,
  };
}

function isEqual(roots: Pick<RemoteHead, "root" | "metadataRoot">, head: RemoteHead): boolean {
  return roots.root === head.root && roots.metadataRoot === head.metadataRoot;
}
