import { describeValue } from "../errors/describe-value.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { type NamedManifest, PACKAGE_MODELS, readManifest } from "../model/load.ts";
import type { ModelIdentity } from "../model/manifest.ts";
import type { Database } from "../store/database.ts";
import type { CanonParts } from "./canon.ts";

/** The model of a library. */
export interface LibraryModel {
  readonly identity: ModelIdentity;
  /** Where its files are read from; null if the user has named no model with this library's digests. */
  readonly named: NamedManifest | null;
}

const NAME_LENGTH_MAX = 256;
const HIDDEN_MAX = 4096;
const LIMIT_MAX = 8192;

/**
 * Finds the model that a library was made with among those that the user has named: the default, the package's own, and
 * `known`. The library's record is only compared and displayed. Nothing in it becomes an address or a path: a file from
 * an unknown source must not decide what is downloaded or read.
 */
export async function findLibraryModel(
  database: Database,
  recorded: CanonParts,
  recordedName: string | null,
  byDefault: NamedManifest,
  known: readonly string[],
): Promise<LibraryModel> {
  const isOurs = ({ manifest }: NamedManifest) =>
    manifest.files.weights.sha256 === recorded.model &&
    manifest.files.tokenizer.sha256 === recorded.tokenizer &&
    String(manifest.limit) === recorded.limit;
  if (isOurs(byDefault)) return { identity: byDefault.manifest, named: byDefault };
  const ofPackage = PACKAGE_MODELS.filter((name) => name === recordedName);
  for (const model of [...ofPackage, ...known]) {
    const named = await readManifest(model).catch(() => null); // one that cannot be read cannot match
    if (named !== null && isOurs(named)) return { identity: named.manifest, named };
  }
  return { identity: recordedIdentity(database, recorded, recordedName), named: null };
}

/** Controls, and characters that hide or reorder text. Written out: the host's \p{Cf} depends on its Unicode version. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what it looks for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/;

/** Returns the identity that a library records. Implausible values are replaced, so they differ from the record. */
function recordedIdentity(database: Database, recorded: CanonParts, name: string | null): ModelIdentity {
  const isName = name !== null && name.length <= NAME_LENGTH_MAX && !INVISIBLE.test(name);
  const vector = database.get<{ hidden: number }>(
    "SELECT length(vector) / 2 AS hidden FROM embeddings LIMIT 1",
  );
  return {
    name: isName ? name : "unnamed",
    hidden: wholeWithin(vector?.hidden, 8, HIDDEN_MAX),
    limit: wholeWithin(Number(recorded.limit), 2, LIMIT_MAX),
    files: { weights: { sha256: recorded.model }, tokenizer: { sha256: recorded.tokenizer } },
  };
}

function wholeWithin(value: number | undefined, least: number, most: number): number {
  return Number.isInteger(value) && value! >= least && value! <= most ? value! : least;
}

/** Returns the error for work that needs a library's model if no model that the user has named matches. */
export function modelUnknown(library: string, { name, files }: ModelIdentity): SelfsameError {
  const { weights, tokenizer } = files;
  const digests = `weights ${describeValue(weights.sha256)}, tokenizer ${describeValue(tokenizer.sha256)}`;
  return new SelfsameError(
    "CANON_MISMATCH",
    `expected the model that ${library} was made with, ${describeValue(name)} (sha256 of ${digests}), got other models`,
    `Name its manifest, by name or URL: --model, "model" in selfsame.config.json, or { model } for open()`,
    { details: { library, model: name, weights: weights.sha256, tokenizer: tokenizer.sha256 } },
  );
}
