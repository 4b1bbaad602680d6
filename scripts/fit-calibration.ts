// Fits the constants of the confidence (SPEC §26.10) on judged collections: `npx tsx scripts/fit-calibration.ts <library.db>
// <queries> <qrels> [<library.db> <queries> <qrels> …]`. Every other query is held out, and the reliability table is that of
// the held-out ones. Each collection weighs the same, whatever its number of queries.
import { readFileSync } from "node:fs";
import { open } from "selfsame";
import { parseJudgements, parseQueries } from "selfsame/eval";

const TOP_K = 12;
const STEPS = 30;

interface Sample {
  readonly score: number;
  readonly isRelevant: number;
  readonly weight: number;
}

const fitted: Sample[] = [];
const held: Sample[] = [];
const files = process.argv.slice(2);
for (let at = 0; at + 2 < files.length; at += 3) {
  const library = await open(files[at]!);
  const judgements = parseJudgements(readFileSync(files[at + 2]!, "utf8"));
  const queries = parseQueries(readFileSync(files[at + 1]!, "utf8")).filter(({ id }) => judgements.has(id));
  for (const [i, { id, text }] of queries.entries()) {
    const ctx = { top_k: TOP_K, mmr_lambda: 1, near_duplicates: 0, now: 0 };
    const { results } = await library.recall({ query_text: text, ctx });
    for (const { doc_id, score } of results) {
      const isRelevant = (judgements.get(id)!.get(doc_id) ?? 0) > 0 ? 1 : 0;
      (i % 2 === 0 ? fitted : held).push({ score, isRelevant, weight: 1 / queries.length });
    }
  }
  await library.close();
}

/** The logistic regression by Newton's method. */
let [slope, offset] = [1, -2];
for (let step = 0; step < STEPS; step++) {
  let [gs, go, hss, hso, hoo] = [0, 0, 0, 0, 0];
  for (const { score, isRelevant, weight } of fitted) {
    const p = 1 / (1 + Math.exp(-(slope * score + offset)));
    const [error, spread] = [weight * (isRelevant - p), weight * p * (1 - p)];
    gs += error * score;
    go += error;
    hss += spread * score * score;
    hso += spread * score;
    hoo += spread;
  }
  const determinant = hss * hoo - hso * hso;
  slope += (hoo * gs - hso * go) / determinant;
  offset += (hss * go - hso * gs) / determinant;
}
console.log(`slope ${(-slope).toFixed(3)}, offset ${(-offset).toFixed(3)}, from ${fitted.length} results`);
const bins = Array.from({ length: 10 }, () => ({ results: 0, relevant: 0, confidence: 0 }));
for (const { score, isRelevant } of held) {
  const p = 1 / (1 + Math.exp(-(slope * score + offset)));
  const bin = bins[Math.min(9, Math.floor(p * 10))]!;
  bin.results++;
  bin.relevant += isRelevant;
  bin.confidence += p;
}
console.table(
  bins.flatMap(({ results, relevant, confidence }, i) =>
    results === 0
      ? []
      : [
          {
            from: i / 10,
            results,
            "mean confidence": (confidence / results).toFixed(3),
            relevant: (relevant / results).toFixed(3),
          },
        ],
  ),
);
