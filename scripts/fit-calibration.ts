// Fits the constants of the confidence (SPEC §26.10) on judged collections: `npx tsx scripts/fit-calibration.ts <library.db>
// <queries> <qrels> [<library.db> <queries> <qrels> …]`. Every other query is held out, and the reliability table is that of
// the held-out ones. Each collection weighs the same, whatever its number of queries. Then other forms of the confidence are
// compared: on held-out queries (ten folds), and on a collection that was left out.
import { readFileSync } from "node:fs";
import { open } from "selfsame";
import { parseJudgements, parseQueries } from "selfsame/eval";

const TOP_K = 12;
const STEPS = 30;
const FOLDS = 10;

interface Sample {
  readonly collection: number;
  /** The number of its query in its collection. */
  readonly query: number;
  readonly score: number;
  readonly words: readonly number[];
  readonly isRelevant: number;
  readonly weight: number;
}

/** What a form of the confidence looks at; a constant is the last. */
type Form = (sample: Sample) => readonly number[];

const PLATT: Form = ({ score }) => [score, 1];
const FORMS: Readonly<Record<string, Form>> = {
  score: PLATT,
  "logarithm of the score": ({ score }) => [Math.log(Math.max(score, 0.05)), 1],
  "bm25, tfidf_cosine, cosine": ({ words }) => [...words, 1],
};

const samples: Sample[] = [];
const files = process.argv.slice(2);
for (let at = 0; at + 2 < files.length; at += 3) {
  const library = await open(files[at]!);
  const judgements = parseJudgements(readFileSync(files[at + 2]!, "utf8"));
  const queries = parseQueries(readFileSync(files[at + 1]!, "utf8")).filter(({ id }) => judgements.has(id));
  for (const [query, { id, text }] of queries.entries()) {
    const ctx = { top_k: TOP_K, mmr_lambda: 1, near_duplicates: 0, now: 0 };
    const { results } = await library.recall({ query_text: text, ctx });
    for (const { doc_id, score, features } of results) {
      const isRelevant = (judgements.get(id)!.get(doc_id) ?? 0) > 0 ? 1 : 0;
      const words = [features.bm25, features.tfidf_cosine, features.cosine];
      samples.push({ collection: at / 3, query, score, words, isRelevant, weight: 1 / queries.length });
    }
  }
  await library.close();
}

const [fitted, held] = divided(({ query }) => query % 2 === 0);
const half = regression(fitted, PLATT);
console.log(
  `slope ${(-half[0]!).toFixed(3)}, offset ${(-half[1]!).toFixed(3)}, from ${fitted.length} results`,
);
console.table(reliability(held.map((sample) => [confidence(half, PLATT(sample)), sample] as const)));
console.table(
  Object.entries(FORMS).map(([form, inputs]) => ({
    form,
    [`log loss, ${FOLDS} folds`]: logLoss(inputs, FOLDS, ({ query }) => query % FOLDS).toFixed(4),
    "log loss, another collection": logLoss(inputs, files.length / 3, (each) => each.collection).toFixed(4),
  })),
);

/** Logistic regression by Newton's method. */
function regression(from: readonly Sample[], form: Form): number[] {
  const size = form(from[0]!).length;
  let weights: number[] = new Array(size).fill(0);
  for (let step = 0; step < STEPS; step++) {
    // The second derivatives, and the first ones as the last column.
    const rows = Array.from({ length: size }, () => new Array<number>(size + 1).fill(0));
    for (const sample of from) {
      const inputs = form(sample);
      const p = confidence(weights, inputs);
      for (const [i, row] of rows.entries()) {
        for (const [j, input] of inputs.entries())
          row[j]! += sample.weight * p * (1 - p) * inputs[i]! * input;
        row[size]! += sample.weight * (sample.isRelevant - p) * inputs[i]!;
      }
    }
    const change = solved(rows);
    weights = weights.map((weight, i) => weight + change[i]!);
  }
  return weights;
}

/** Gauss and Jordan. The matrix is positive definite: it needs no pivots. */
function solved(rows: number[][]): number[] {
  for (const [i, pivot] of rows.entries())
    for (const [k, row] of rows.entries()) {
      if (k === i) continue;
      const factor = row[i]! / pivot[i]!;
      for (const [j, value] of pivot.entries()) row[j]! -= factor * value;
    }
  return rows.map((row, i) => row.at(-1)! / row[i]!);
}

function confidence(weights: readonly number[], inputs: readonly number[]): number {
  return 1 / (1 + Math.exp(-weights.reduce((sum, weight, i) => sum + weight * inputs[i]!, 0)));
}

/** The mean over parts of the samples, each judged by what was fitted on all others. */
function logLoss(form: Form, parts: number, partOf: (sample: Sample) => number): number {
  let [loss, weights] = [0, 0];
  for (let part = 0; part < parts; part++) {
    const [others, judged] = divided((sample) => partOf(sample) !== part);
    const found = regression(others, form);
    for (const sample of judged) {
      const p = confidence(found, form(sample));
      loss -= sample.weight * Math.log(sample.isRelevant === 1 ? p : 1 - p);
      weights += sample.weight;
    }
  }
  return loss / weights;
}

function divided(isFirst: (sample: Sample) => boolean): [Sample[], Sample[]] {
  return [samples.filter(isFirst), samples.filter((sample) => !isFirst(sample))];
}

function reliability(judged: readonly (readonly [confidence: number, sample: Sample])[]) {
  const bins = Array.from({ length: 10 }, () => ({ results: 0, relevant: 0, confidence: 0 }));
  for (const [p, { isRelevant }] of judged) {
    const bin = bins[Math.min(9, Math.floor(p * 10))]!;
    bin.results++;
    bin.relevant += isRelevant;
    bin.confidence += p;
  }
  return bins.flatMap(({ results, relevant, confidence: sum }, i) => {
    if (results === 0) return [];
    const [mean, share] = [(sum / results).toFixed(3), (relevant / results).toFixed(3)];
    return [{ from: i / 10, results, "mean confidence": mean, relevant: share }];
  });
}
