// How true the integer arithmetic is to the model: our vectors against the f32 ONNX run by onnxruntime-node.
// `--peers` measures q8 and candle the same way instead of us.
import { cosine, type Embedder, loadPeers, type Sample } from "./embed/peers.ts";
import { selfsameEmbedder } from "./embed/selfsame.ts";
import { fidelitySamples } from "./embed/texts.ts";

const GOALS = { cosineMin: 0.99998, cosineMean: 0.999995, pairError: 0.003, smokeError: 0.005 };

/** A sentence against three others, with the cosines that the model is known to give. */
const SMOKE_QUERY = "The quick brown fox jumps over the lazy dog.";
const SMOKE: [text: string, cosine: number][] = [
  ["A fast auburn fox leaps above a sleepy hound.", 0.7],
  ["The speedy brown fox hopped over the idle dog.", 0.84],
  ["Quarterly revenue at the bank fell by ten percent.", 0.06],
];

type Vectors = (Float32Array | Int16Array)[];

async function embedAll(embedder: Embedder, samples: Sample[]): Promise<Vectors> {
  const vectors: Vectors = [];
  for (const sample of samples) vectors.push(await embedder.embed(sample));
  return vectors;
}

/** The largest difference between a similarity of ours and the same of the oracle's, over all pairs. */
function largestPairError(ours: Vectors, oracle: Vectors): number {
  let largest = 0;
  for (let i = 0; i < ours.length; i++)
    for (let j = 0; j < i; j++)
      largest = Math.max(largest, Math.abs(cosine(ours[i]!, ours[j]!) - cosine(oracle[i]!, oracle[j]!)));
  return largest;
}

export async function bench() {
  const peers = await loadPeers();
  const tokenize = await peers.tokenizer();
  const samples = fidelitySamples(tokenize);
  const smoke = [SMOKE_QUERY, ...SMOKE.map(([text]) => text)].map((text) => ({ text, ids: tokenize(text) }));
  const oracle = await peers.onnxNode("f32");
  const expected = await embedAll(oracle, samples);

  const contenders: [string, () => Promise<Embedder>][] = process.argv.includes("--peers")
    ? [
        ["onnx web q8", () => peers.onnxWeb("q8")],
        ["candle", () => peers.candle()],
      ]
    : [["selfsame", () => selfsameEmbedder("simd")]];

  const fidelity = [];
  const smokeRows = [];
  for (const [name, load] of [["onnx node f32", async () => oracle] as const, ...contenders]) {
    const embedder = await load();
    const [query, ...others] = await embedAll(embedder, smoke);
    const found = others.map((vector) => cosine(query!, vector));
    const smokeError = Math.max(...SMOKE.map(([, value], i) => Math.abs(found[i]! - value)));
    const row: Record<string, string | number> = { embedder: name };
    for (const [i, value] of found.entries()) row[`${SMOKE[i]![1]}`] = Number(value.toFixed(4));
    smokeRows.push({ ...row, pass: smokeError <= GOALS.smokeError ? "yes" : "NO" });
    if (embedder === oracle) continue;

    const vectors = await embedAll(embedder, samples);
    const cosines = vectors.map((vector, i) => cosine(vector, expected[i]!));
    const min = Math.min(...cosines);
    const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
    const pairError = largestPairError(vectors, expected);
    const worst = samples[cosines.indexOf(min)]!;
    const pass = min >= GOALS.cosineMin && mean >= GOALS.cosineMean && pairError <= GOALS.pairError;
    fidelity.push({
      embedder: name,
      texts: samples.length,
      "cosine min": Number(min.toFixed(7)),
      "cosine mean": Number(mean.toFixed(7)),
      "largest pair error": Number(pairError.toFixed(5)),
      "tokens of the worst": worst.ids.length,
      "begins with": worst.text.slice(0, 30),
      pass: pass ? "yes" : "NO",
    });
  }
  const goals = `cosine ≥ ${GOALS.cosineMin}, on average ≥ ${GOALS.cosineMean}, pairs within ${GOALS.pairError}`;
  return [
    { title: `Fidelity to the f32 ONNX of all-MiniLM-L6-v2 (goals: ${goals})`, rows: fidelity },
    { title: `Smoke test: cosines to "${SMOKE_QUERY}", within ${GOALS.smokeError}`, rows: smokeRows },
  ];
}
