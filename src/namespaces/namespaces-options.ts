import { badArgument, checkKinds, optionsArgument } from "../errors/arguments.ts";
import { OPEN_OPTIONS, type OpenOptions } from "../library/open-options.ts";
import type { SnapshotPolicy } from "./auto-snapshots.ts";

/** Options of `openNamespaces`. What belongs to a library is for new ones: those that exist keep what they were made with. */
export interface NamespacesOptions
  extends Omit<OpenOptions, "namespace" | "rebuild" | "signal" | "onRebuildProgress"> {
  /** How many namespaces may be open at a time; default 3. */
  readonly maxActive?: number;
  /** How long a call waits for a place if all open namespaces are in use; default 30000 ms. */
  readonly waitMs?: number;
  /**
   * How many threads search, each with its own connection, model and vectors; default 0: the calling thread searches.
   * Answers do not depend on it.
   */
  readonly readers?: number;
  /** Whether snapshots are made without being asked for, and how often; default false. */
  readonly snapshots?: boolean | SnapshotPolicy;
}

const NAMES: Readonly<Record<keyof NamespacesOptions, true>> = (() => {
  const { namespace, rebuild, signal, onRebuildProgress, ...rest } = OPEN_OPTIONS;
  return { ...rest, maxActive: true, waitMs: true, readers: true, snapshots: true };
})();

const MAX_ACTIVE = { byDefault: 3, most: 10_000 };
const WAIT_MS_DEFAULT = 30_000;
const READERS_MAX = 256;

/** The options with their defaults, and what of them opens a library. */
export interface CheckedOptions {
  readonly maxActive: number;
  readonly waitMs: number;
  readonly readers: number;
  /** null if snapshots are made by hand alone. */
  readonly snapshots: SnapshotPolicy | null;
  readonly library: OpenOptions;
}

/** @throws {SelfsameError} BAD_ARGUMENT */
export function checkNamespacesOptions(given: NamespacesOptions): CheckedOptions {
  const {
    maxActive = MAX_ACTIVE.byDefault,
    waitMs = WAIT_MS_DEFAULT,
    readers = 0,
    snapshots = false,
    ...library
  } = checkKinds(optionsArgument(given, NAMES), { waitMs: "count" });
  if (!Number.isInteger(maxActive) || maxActive < 1 || maxActive > MAX_ACTIVE.most)
    throw badArgument("maxActive", `a whole number from 1 to ${MAX_ACTIVE.most}`, maxActive);
  if (!Number.isInteger(readers) || readers < 0 || readers > READERS_MAX)
    throw badArgument("readers", `a whole number from 0 to ${READERS_MAX}`, readers);
  // A function that returns the engine's bytes cannot be sent to a thread.
  const threads = library.source === undefined ? readers : 0;
  return { maxActive, waitMs, readers: threads, snapshots: checkPolicy(snapshots), library };
}

function checkPolicy(given: boolean | SnapshotPolicy): SnapshotPolicy | null {
  if (typeof given === "boolean") return given ? {} : null;
  const kinds = { intervalMs: "count", writes: "count" } as const;
  return checkKinds(optionsArgument(given, { intervalMs: true, writes: true }), kinds);
}

/** Returns the options for a library that exists: it remembers what it was made with. */
export function optionsToReopen({
  chunking,
  index,
  vectors,
  dedupeThreshold,
  model,
  ...rest
}: OpenOptions): OpenOptions {
  if (model === undefined) return rest;
  // A manifest has no name by which the library's model could be looked up.
  if (typeof model === "object" && !(model instanceof URL)) return { ...rest, model };
  const named = model instanceof URL ? model.href : model;
  return { ...rest, knownModels: [...(rest.knownModels ?? []), named] };
}
