import { bm25FromCounts, inverseDocumentFrequency } from "../search/bm25.ts";
import { naturalLogarithm } from "../search/logarithm.ts";
import { binary64Hex } from "../store/bm25-probe.ts";
import { type Outcome, Tally } from "./outcome.ts";

/** test-vectors/counts.json */
export interface CountsVectors {
  /** x and its logarithm. */
  readonly logarithms: readonly string[];
  /** The number of chunks, of those with the item, and the idf. */
  readonly idfs: readonly string[];
  readonly cases: readonly {
    readonly name: string;
    readonly chunks: number;
    readonly tokens: number;
    readonly having: readonly number[];
    readonly counts: readonly number[];
    readonly length: number;
    readonly bm25: string;
    readonly bm25plus: string;
  }[];
}

/** SPEC §25 */
export function checkCounts(vectors: CountsVectors): Outcome {
  const tally = new Tally("counts");
  for (const line of vectors.logarithms) {
    const [x, expected] = line.split(" ") as [string, string];
    tally.record(`logarithm ${x}`, [["bits", expected, binary64Hex(naturalLogarithm(numberOf(x)))]]);
  }
  for (const line of vectors.idfs) {
    const [chunks, having, expected] = line.split(" ") as [string, string, string];
    const got = inverseDocumentFrequency(Number(chunks), Number(having));
    tally.record(`idf ${chunks} ${having}`, [["bits", expected, binary64Hex(got)]]);
  }
  for (const { name, chunks, tokens, having, counts, length, ...expected } of vectors.cases) {
    const score = (scoring: "bm25" | "bm25plus") =>
      binary64Hex(bm25FromCounts({ chunks, tokens }, having, scoring)(counts, length));
    tally.record(name, [
      ["bm25", expected.bm25, score("bm25")],
      ["bm25plus", expected.bm25plus, score("bm25plus")],
    ]);
  }
  return tally.outcome();
}

function numberOf(bits: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return view.getFloat64(0);
}
