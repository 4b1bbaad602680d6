import { badArgument, checkKinds, optionsArgument } from "../../errors/arguments.ts";
import type { PackVerification } from "../../packs/pack-options.ts";
import { hasLoneSurrogate } from "../../text/lone-surrogate.ts";

const NAME_MAX = 4096;

/** What becomes of a document that both sides changed: `both` keeps one beside the other. SPEC §28.5 */
export type Resolution = "ours" | "theirs" | "both";

/** One side of a conflict. */
export interface ConflictSide {
  /** When the document was modified, in milliseconds since 1970, if that was given. */
  readonly modifiedAt: number | null;
  /** Returns its canonical text. */
  text(): string;
}

/** A document that both sides changed since they last had it in common; null on the side that deleted it. */
export interface PullConflict {
  /** Its path. */
  readonly path: string;
  /** As it is here. */
  readonly ours: ConflictSide | null;
  /** As it is there. */
  readonly theirs: ConflictSide | null;
}

/** How `Library.pull` merges, trusts and reports. */
export interface PullOptions {
  /**
   * `merge` (default) brings over what changed there since the last pull, and keeps what changed here. `mirror` makes this
   * library equal to the other one: what only this one has is removed.
   */
  readonly mode?: "merge" | "mirror";
  /**
   * What becomes of a document that both sides changed: `both` (default: nothing is lost), `ours`, `theirs`, or a function
   * that decides. The function must not write to this library.
   */
  readonly conflicts?: Resolution | ((conflict: PullConflict) => Resolution | Promise<Resolution>);
  /** Only reports what would change. Nothing is written, and no document is transferred. */
  readonly dryRun?: boolean;
  /**
   * The name under which what both have in common is remembered, in place of the remote's own; it must mean the same
   * library each time.
   */
  readonly name?: string;
  /** What the server of an address wants as `Authorization: Bearer …`. */
  readonly token?: string;
  /** How many of the vectors are computed here and compared before they are used, as with `importPack`. */
  readonly verify?: PackVerification;
  /** Stops the pull. What is written stays, and pulling again continues from there. */
  readonly signal?: AbortSignal;
  /** Called as documents arrive and are written. */
  readonly onProgress?: (event: PullProgress) => void;
}

/** The progress of a pull. Times are for people; nothing else depends on them. */
export interface PullProgress {
  /** What is being done: the trees are compared, packs are fetched and written, documents are removed. */
  readonly step: "comparing" | "pulling" | "removing";
  /** Documents done. */
  readonly documents: number;
  /** Documents that are brought over or removed; 0 while the trees are compared. */
  readonly documentsTotal: number;
  /** Bytes of packs that have arrived. */
  readonly bytes: number;
  /** Estimated; null before the first document. */
  readonly secondsLeft: number | null;
}

/** What a pull does, or would do, with one document. */
export interface PulledChange {
  /** Its id, in hexadecimal. */
  readonly documentId: string;
  /** Its path; null if the side that has it did not tell it. */
  readonly path: string | null;
  /**
   * What happens here: `metadata` is an update whose text stays. `kept`: both sides changed it, and ours stays.
   * `undecided`: both changed it, and what becomes of it is known when it has arrived.
   */
  readonly change: "added" | "updated" | "metadata" | "removed" | "kept" | "undecided";
  /** Whether both sides changed it. */
  readonly isConflict: boolean;
  /** Where the other version is kept; null if there is none. */
  readonly copy: string | null;
}

/** What `Library.pull` did, or would do. */
export interface PullReport {
  /** Every document that changed, and every conflict, by id. */
  readonly changes: readonly PulledChange[];
  /** The number of new documents, without copies. */
  readonly added: number;
  /** The number of documents whose text or metadata changed. */
  readonly updated: number;
  /** The number of documents that were removed. */
  readonly removed: number;
  /** The number of documents that both sides had changed. */
  readonly conflicts: number;
  /** How many documents only this library has, or has in another form, after the pull. */
  readonly ahead: number;
  /** Bytes of packs that were transferred. */
  readonly bytes: number;
  /** The number of vectors that came with them and were not known. */
  readonly vectors: number;
  /** How many vectors were computed here and compared. */
  readonly verified: number;
  /** How many texts came without a vector and were embedded here. */
  readonly embedded: number;
  /** This library's root now, in hexadecimal. */
  readonly root: string;
  /** The other library's root, in hexadecimal. */
  readonly remoteRoot: string;
  /** Whether both libraries are equal now: texts and metadata. */
  readonly isSame: boolean;
}

const KINDS = {
  dryRun: "flag",
  name: "text",
  token: "text",
  signal: "signal",
  onProgress: "function",
} as const;
const RESOLUTIONS: readonly unknown[] = ["ours", "theirs", "both", undefined];

/** Copies and checks the options of a pull. @throws {SelfsameError} BAD_ARGUMENT */
export function pullOptions(options: PullOptions): PullOptions {
  const known = { mode: true, conflicts: true, dryRun: true, name: true, token: true, verify: true } as const;
  const given = checkKinds(optionsArgument(options, { ...known, signal: true, onProgress: true }), KINDS);
  const { mode, conflicts, name, verify } = given;
  if (mode !== undefined && mode !== "merge" && mode !== "mirror")
    throw badArgument("mode", '"merge" or "mirror"', mode);
  if (typeof conflicts !== "function" && !RESOLUTIONS.includes(conflicts))
    throw badArgument("conflicts", '"ours", "theirs", "both" or a function', conflicts);
  if (verify !== undefined && verify !== "all" && verify !== "sample" && verify !== "none")
    throw badArgument("verify", '"all", "sample" or "none"', verify);
  if (name !== undefined && (name === "" || name.length > NAME_MAX || hasLoneSurrogate(name)))
    throw badArgument("name", `a text of 1 to ${NAME_MAX} characters`, name);
  return given;
}
