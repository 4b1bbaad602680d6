// What the benchmarks compare with: other runtimes of the same model, from bench/peers/embed with its own package.json.
import { existsSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../peers/embed");

/** A text with its token ids, [CLS] and [SEP] included. */
export interface Sample {
  text: string;
  ids: number[];
}

export interface Embedder {
  /** A vector of any scale; ours are i16, the peers' have unit length. */
  embed(sample: Sample): Promise<Float32Array | Int16Array>;
}

export interface Peers {
  /** Token ids by @huggingface/tokenizers, uncut. */
  tokenizer(): Promise<(text: string) => number[]>;
  onnxWeb(weights: "f32" | "q8"): Promise<Embedder>;
  onnxNode(weights: "f32" | "q8"): Promise<Embedder>;
  candle(): Promise<Embedder>;
}

export async function loadPeers(): Promise<Peers> {
  if (!existsSync(join(FOLDER, "node_modules")))
    throw new Error(
      "the peers are not installed; run: npm --prefix bench/peers/embed install --ignore-scripts",
    );
  return (await import(join(FOLDER, "peers.mjs"))) as Peers;
}

/** The peers that Selfsame is timed against, and the most it may take of their time. */
export const RIVALS: { name: string; goal: number; load: (peers: Peers) => Promise<Embedder> }[] = [
  { name: "onnx web f32", goal: 0.4, load: (peers) => peers.onnxWeb("f32") },
  { name: "onnx web q8", goal: 0.75, load: (peers) => peers.onnxWeb("q8") },
  { name: "candle", goal: 0.25, load: (peers) => peers.candle() },
];

export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    ab += a[i]! * b[i]!;
    aa += a[i]! * a[i]!;
    bb += b[i]! * b[i]!;
  }
  return ab / Math.sqrt(aa * bb);
}
