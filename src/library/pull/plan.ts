import { fromHex, toHex } from "../../engine/digest.ts";
import { describeValue } from "../../errors/describe-value.ts";
import { SelfsameError } from "../../errors/selfsame-error.ts";
import { compareBytes } from "../../identity/tree-node.ts";
import type { LibraryParts } from "../library-parts.ts";
import type { CommonState } from "./common-state.ts";
import { badRemote, type DocumentChange, documentChanges, isSame } from "./differences.ts";
import type { PullOptions } from "./pull-options.ts";
import type { Remote, RemoteHead } from "./remote.ts";

/**
 * What is decided of a document that differs: `take` what they have, `remove` it as they did, `keep` ours, or `ask`, since both
 * sides changed it and it must be seen first.
 */
export type Decision = "take" | "remove" | "keep" | "ask";

export interface PlannedChange extends DocumentChange {
  readonly decision: Decision;
  readonly isConflict: boolean;
}

/** What a pull will do, from one state of this library and one of the other. */
export interface Plan {
  readonly head: RemoteHead;
  /** By id ascending. */
  readonly changes: readonly PlannedChange[];
  /** What changed here since the last pull; null if nothing is known of one. */
  readonly known: readonly DocumentChange[] | null;
}

/** How often the plan is made again if this library changes meanwhile. */
const ATTEMPTS = 5;

/** Compares both libraries and decides for each document that differs. SPEC §28.4 */
export async function planPull(
  parts: LibraryParts,
  remote: Remote,
  head: RemoteHead,
  common: CommonState,
  options: PullOptions,
): Promise<Plan> {
  const { engine, database, state } = parts;
  const there = { text: fromHex(head.root), metadata: fromHex(head.metadataRoot) };
  const ask = async (prefixes: readonly string[], tree: "text" | "metadata") => {
    if (options.signal?.aborted) throw stopped(options.signal);
    const records: unknown = await database.idle(() => remote.nodes(prefixes, tree));
    if (Array.isArray(records) && records.every((record) => record instanceof Uint8Array)) return records;
    throw badRemote("a list of nodes", describeValue(records));
  };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = JSON.stringify(state.roots());
    const found = await documentChanges(engine, state.trees, there, ask);
    const known = await common.localChanges();
    const bases = common.valuesOf(found.map(({ id }) => id));
    // Nodes are read one by one: if the library changed meanwhile, the list means nothing.
    if (JSON.stringify(state.roots()) !== before) continue;
    const changes = found.map((change, i) => ({ ...change, ...decided(change, bases[i]!, options) }));
    return { head, changes, known };
  }
  throw new SelfsameError(
    "DATABASE_BUSY",
    "expected a library that does not change while it is compared, got changes",
    "Pull again when nothing else writes to it",
  );
}

function decided(
  change: DocumentChange,
  base: DocumentChange["here"],
  { mode = "merge", conflicts = "both" }: PullOptions,
): { readonly decision: Decision; readonly isConflict: boolean } {
  const { here, there } = change;
  const theirs = there === null ? "remove" : "take";
  if (mode === "mirror" || isSame(here, base)) return { decision: theirs, isConflict: false };
  if (isSame(there, base)) return { decision: "keep", isConflict: false };
  const isConflict = !isMetadataOnly(change);
  if (conflicts === "ours") return { decision: "keep", isConflict };
  if (conflicts === "theirs") return { decision: theirs, isConflict };
  // A function decides about texts. Times and metadata alone are decided as with `both`.
  if (conflicts !== "both" && isConflict) return { decision: "ask", isConflict };
  // Where one side deleted it, keeping both is keeping the other one.
  const decision = here === null ? "take" : there === null ? "keep" : "ask";
  return { decision, isConflict };
}

const HEX_DIGEST = /^[0-9a-f]{64}$/;

/**
 * Reads what the other library holds. That its texts are cut and embedded as here is checked with each pack.
 *
 * @throws {SelfsameError} BAD_REMOTE, NAMESPACE_MISMATCH
 */
export async function readHead({ database, state }: LibraryParts, remote: Remote): Promise<RemoteHead> {
  const head: unknown = await database.idle(() => remote.head());
  if (typeof head !== "object" || head === null) throw badRemote("what it holds", describeValue(head));
  const { namespace, canon, root, metadataRoot } = head as RemoteHead;
  for (const digest of [canon, root, metadataRoot])
    if (typeof digest !== "string" || !HEX_DIGEST.test(digest))
      throw badRemote("digests of 64 hexadecimal digits", describeValue(digest));
  if (namespace !== state.canon.namespace)
    throw new SelfsameError(
      "NAMESPACE_MISMATCH",
      `expected a library of the namespace ${JSON.stringify(state.canon.namespace)}, got one of ${describeValue(namespace)}`,
      "Pull into a library of that namespace. A pack can be imported under another one: selfsame import FILE --as NAME",
      { details: { expected: state.canon.namespace, got: String(namespace) } },
    );
  return { namespace, canon, root, metadataRoot };
}

export function stopped(signal: AbortSignal): SelfsameError {
  return new SelfsameError("ABORTED", "expected a whole pull, got a stop", "", { cause: signal.reason });
}

/** Returns the differing documents by id, in hexadecimal. */
export function byId(plan: Plan): Map<string, PlannedChange> {
  return new Map(plan.changes.map((change) => [toHex(change.id), change]));
}

/** Whether only times, types or metadata of a document differ. */
export function isMetadataOnly({ here, there }: DocumentChange): boolean {
  return here !== null && there !== null && compareBytes(here.text, there.text) === 0;
}
