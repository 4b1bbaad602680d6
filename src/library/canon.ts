import type { ChunkParameters } from "../chunks/chunk-parameters.ts";
import { toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { describeValue } from "../errors/describe-value.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { tagField, taggedHash } from "../identity/tagged-hash.ts";
import { PACKAGE_MODELS } from "../model/load.ts";
import type { ModelIdentity } from "../model/manifest.ts";
import { SQLITE_SHA256 } from "../store/sqlite.ts";
import { utf8 } from "../text/canonical.ts";
import { SEGMENT_DEFAULT } from "../vectors/segmented-index.ts";
import { printDedupe, printVectorSource, type VectorSource } from "./vector-source.ts";

/** The version of SPEC.md that this code follows. A published version never changes its results; 2 is still open. */
export const SPEC_VERSION = "2";

/** Which index answers a semantic search. `auto` scans exactly up to `segment` distinct vectors. SPEC §14.3 */
export type IndexKind = "auto" | "exact" | "hnsw";

/** Everything that decides results, as named strings. Equal parts give equal results for equal documents. SPEC §14.1 */
export interface CanonParts {
  /** The version of SPEC.md. */
  readonly spec: string;
  /** The sha256 of the model's weights. */
  readonly model: string;
  /** The sha256 of its tokenizer.json. */
  readonly tokenizer: string;
  /** The most tokens of a text that the model reads. */
  readonly limit: string;
  /** The sha256 of SQLite's wasm. */
  readonly sqlite: string;
  /** How texts are split: most tokens, overlap in tokens, most bytes. */
  readonly chunking: string;
  /** Which index answers, an `IndexKind`. */
  readonly index: string;
  /** The most distinct vectors of a segment. */
  readonly segment: string;
  /** The namespace that separates the library's ids from those of others. */
  readonly namespace: string;
  /** Where vectors come from: `model`, or `external`, the dimension and a name. SPEC §23.3 */
  readonly vectors: string;
  /** From which cosine on, in thousandths, a chunk is a near-duplicate; or `off`. SPEC §23.6 */
  readonly dedupe: string;
}

/** In the order in which they are hashed. */
export const CANON_NAMES = [
  "spec",
  "model",
  "tokenizer",
  "limit",
  "sqlite",
  "chunking",
  "index",
  "segment",
  "namespace",
  "vectors",
  "dedupe",
] as const satisfies readonly (keyof CanonParts)[];

/** These parts are hashed only if they are not what every library without outside vectors has. */
export const PLAIN: Readonly<Partial<CanonParts>> = { vectors: "model", dedupe: "off" };

const CANON = tagField("canon");
const MODEL = tagField("model");

export function canonParts(
  manifest: ModelIdentity,
  chunking: ChunkParameters,
  index: IndexKind,
  namespace: string,
  segment = SEGMENT_DEFAULT,
  vectors: VectorSource = "model",
  dedupe: number | null = null,
): CanonParts {
  return {
    spec: SPEC_VERSION,
    model: manifest.files.weights.sha256,
    tokenizer: manifest.files.tokenizer.sha256,
    limit: String(manifest.limit),
    sqlite: SQLITE_SHA256,
    chunking: `${chunking.maxTokens} ${chunking.overlapTokens} ${chunking.maxBytes}`,
    index,
    segment: String(segment),
    namespace,
    vectors: printVectorSource(vectors),
    dedupe: printDedupe(dedupe),
  };
}

/**
 * Returns the digest of all parts, in hexadecimal. Two libraries with the same canon and the same root answer alike.
 */
export function canonDigest(engine: Engine, parts: CanonParts): string {
  const names = CANON_NAMES.filter((name) => parts[name] !== PLAIN[name]);
  const fields = names.flatMap((name) => [utf8(name), utf8(parts[name])]);
  return toHex(taggedHash(engine, CANON, fields));
}

/** Returns the key under which embeddings are stored. They depend on these parts and on nothing else of the canon. */
export function modelDigest(
  engine: Engine,
  { spec, model, tokenizer, limit }: CanonParts,
): Uint8Array<ArrayBuffer> {
  return taggedHash(engine, MODEL, [spec, model, tokenizer, limit].map(utf8));
}

/**
 * Throws unless the recorded parts equal the wanted ones. @throws {SelfsameError} CANON_MISMATCH that names every part
 * that differs
 */
export function checkCanon(
  recorded: CanonParts,
  wanted: CanonParts,
  library: string,
  recordedModel: string | null,
): void {
  const different = CANON_NAMES.filter((name) => recorded[name] !== wanted[name]);
  if (different.length === 0) return;
  const list = (parts: CanonParts) => different.map((name) => `${name} ${printable(parts[name])}`).join(", ");
  throw new SelfsameError(
    "CANON_MISMATCH",
    `expected ${library} to be made with ${list(wanted)}, got ${list(recorded)}`,
    wayOut(different, recordedModel),
    { details: { library, parts: different.join(", ") } },
  );
}

/** Returns a part verbatim if it is short and printable. A library from an unknown source may record anything. */
function printable(part: string): string {
  return /^[!-~ ]{1,80}$/.test(part) ? part : describeValue(part);
}

/** Returns what to do about a library whose canon differs in these parts. */
function wayOut(different: readonly (keyof CanonParts)[], recordedModel: string | null): string {
  const rebuild = "selfsame index --force (open with { rebuild: true })";
  if (different.includes("vectors"))
    return "Open it without the option vectors, or make a new library and ingest the chunks with their vectors there";
  if (different.includes("spec"))
    return `It was made by another version of Selfsame. Rebuild it from its own texts with ${rebuild}, or add the documents to a new library`;
  const isOfAnotherModel = different.includes("model") || different.includes("tokenizer");
  const model = isOfAnotherModel && recordedModel !== null ? ` (${howToName(recordedModel)})` : "";
  return `Open it with the settings that it was made with${model}, or rebuild it from its own texts with ${rebuild}`;
}

/**
 * A library from an unknown source may record any name. Only the names of this package's models are put into a command.
 */
function howToName(recordedModel: string): string {
  return PACKAGE_MODELS.includes(recordedModel)
    ? `--model ${recordedModel}`
    : `--model <the manifest of ${describeValue(recordedModel)}>`;
}
