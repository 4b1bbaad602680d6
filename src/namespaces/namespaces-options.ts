import { badArgument, checkKinds, optionsArgument } from "../errors/arguments.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Library } from "../library/library.ts";
import { OPEN_OPTIONS, type OpenOptions } from "../library/open-options.ts";
import { checkDedupe, checkVectorSource, printDedupe, printVectorSource } from "../library/vector-source.ts";
import type { SnapshotPolicy } from "./auto-snapshots.ts";
import type { NewLibrary } from "./connection.ts";

/**
 * Options of `openNamespaces`. What belongs to a library is for new ones: those that exist keep what they were made with.
 * `dedupeThreshold` is only for those whose chunks come with vectors.
 */
export interface NamespacesOptions
  extends Omit<OpenOptions, "namespace" | "rebuild" | "signal" | "onRebuildProgress"> {
  /** How many namespaces may be open at a time; default 3. */
  readonly maxActive?: number;
  /** How long a call waits for a place while no call ends that keeps one; default 30000 ms. */
  readonly waitMs?: number;
  /**
   * How many threads search, each with its own connection, model and vectors; default 0: the calling thread searches.
   * Answers do not depend on it.
   */
  readonly readers?: number;
  /** Whether snapshots are made without being asked for, and how often; default false. */
  readonly snapshots?: boolean | SnapshotPolicy;
  /** Called when something is found to be wrong with a namespace: what `stats` then says. */
  readonly onWarning?: (namespace: string, warning: string) => void;
}

const NAMES: Readonly<Record<keyof NamespacesOptions, true>> = (() => {
  const { namespace, rebuild, signal, onRebuildProgress, ...rest } = OPEN_OPTIONS;
  return { ...rest, maxActive: true, waitMs: true, readers: true, snapshots: true, onWarning: true };
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
  readonly onWarning: (namespace: string, warning: string) => void;
  readonly library: OpenOptions;
}

/** @throws {SelfsameError} BAD_ARGUMENT */
export function checkNamespacesOptions(given: NamespacesOptions): CheckedOptions {
  const {
    maxActive = MAX_ACTIVE.byDefault,
    waitMs = WAIT_MS_DEFAULT,
    readers = 0,
    snapshots = false,
    onWarning = () => undefined,
    ...library
  } = checkKinds(optionsArgument(given, NAMES), { waitMs: "count", onWarning: "function" });
  if (!Number.isInteger(maxActive) || maxActive < 1 || maxActive > MAX_ACTIVE.most)
    throw badArgument("maxActive", `a whole number from 1 to ${MAX_ACTIVE.most}`, maxActive);
  if (!Number.isInteger(readers) || readers < 0 || readers > READERS_MAX)
    throw badArgument("readers", `a whole number from 0 to ${READERS_MAX}`, readers);
  // A function that returns the engine's bytes cannot be sent to a thread.
  const threads = library.source === undefined ? readers : 0;
  return { maxActive, waitMs, readers: threads, snapshots: checkPolicy(snapshots), onWarning, library };
}

function checkPolicy(given: boolean | SnapshotPolicy): SnapshotPolicy | null {
  if (typeof given === "boolean") return given ? {} : null;
  const kinds = { intervalMs: "count", writes: "count" } as const;
  return checkKinds(optionsArgument(given, { intervalMs: true, writes: true }), kinds);
}

const OF_NEW: Readonly<Record<keyof NewLibrary, true>> = {
  ...{ vectors: true, dedupeThreshold: true, index: true, segment: true, chunking: true, model: true },
};

/** Checks what a namespace is to be made with. @throws {SelfsameError} BAD_ARGUMENT */
export function checkNewLibrary(given: NewLibrary): NewLibrary {
  const fresh = optionsArgument(given, OF_NEW);
  if (fresh.vectors !== undefined) checkVectorSource(fresh.vectors);
  if (fresh.dedupeThreshold !== undefined) checkDedupe(fresh.dedupeThreshold);
  return fresh;
}

/** @throws {SelfsameError} CANON_MISMATCH if the namespace existed, and was made with something else than is asked for */
export function checkMadeWith({ canonParts }: Library, name: string, fresh: NewLibrary): void {
  const wanted = {
    ...(fresh.vectors === undefined ? {} : { vectors: printVectorSource(fresh.vectors) }),
    ...(fresh.dedupeThreshold === undefined
      ? {}
      : { dedupe: printDedupe(checkDedupe(fresh.dedupeThreshold)) }),
    ...(fresh.index === undefined ? {} : { index: fresh.index }),
    ...(fresh.segment === undefined ? {} : { segment: String(fresh.segment) }),
  };
  for (const [part, value] of Object.entries(wanted)) {
    const made = canonParts[part as keyof typeof wanted];
    if (made === value) continue;
    throw new SelfsameError(
      "CANON_MISMATCH",
      `expected the namespace ${name} to be made with ${part} ${value}, got one made with ${made}`,
      "Use what it was made with, or another namespace",
      { details: { namespace: name } },
    );
  }
}

/** Returns the options for a new library. Nothing is compared where the model makes the vectors. SPEC §23.6 */
export function optionsToMake({ dedupeThreshold, ...rest }: OpenOptions): OpenOptions {
  const isExternal = typeof rest.vectors === "object";
  return isExternal && dedupeThreshold !== undefined ? { ...rest, dedupeThreshold } : rest;
}

/** Returns the options for a library that exists: it remembers what it was made with. */
export function optionsToReopen({
  chunking,
  index,
  segment,
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

/** Returns the options that a thread can be given: functions stay here. */
export function optionsForThreads({
  model,
  crossEncoder,
  featureGenerator,
  onIndexProgress,
  source,
  ...rest
}: OpenOptions): OpenOptions {
  return {
    ...rest,
    ...(model === undefined ? {} : { model: model instanceof URL ? model.href : model }),
    ...(crossEncoder === undefined
      ? {}
      : { crossEncoder: crossEncoder instanceof URL ? crossEncoder.href : crossEncoder }),
  };
}
