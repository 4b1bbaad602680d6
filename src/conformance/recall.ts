import type { DocumentInput } from "../library/document-input.ts";
import type { Library } from "../library/library.ts";
import type { RecallContext } from "../recall/request.ts";
import { binary32Bits } from "../search/fuse.ts";
import { printHex } from "./hex.ts";
import { type Outcome, Tally } from "./outcome.ts";

/** test-vectors/recall.json */
export interface RecallVectors {
  readonly parameters: { readonly model: string; readonly namespace: string };
  readonly documents: readonly DocumentInput[];
  readonly cases: readonly {
    readonly name: string;
    readonly query: string;
    readonly ctx: RecallContext;
    readonly results: readonly {
      readonly id: string;
      readonly score: string;
      readonly confidence: string;
      readonly source: string;
      readonly features: Readonly<Record<string, string>>;
      readonly duplicates: readonly string[];
      readonly cross_encoder?: string;
    }[];
  }[];
}

/** Cases that need a cross-encoder are left out if there is none. SPEC §26 */
export async function checkRecall(
  library: Library,
  vectors: RecallVectors,
  hasCrossEncoder: boolean,
): Promise<Outcome> {
  const tally = new Tally("recall");
  for (const { name, query, ctx, results: expected } of vectors.cases) {
    if (ctx.allow_cross_encoder === true && !hasCrossEncoder) continue;
    const { results, receipt } = await library.recall({ query_text: query, ctx });
    const got = results.map((each) => ({
      id: each.chunk_id,
      score: bits(each.score),
      confidence: bits(each.confidence),
      source: each.source,
      features: Object.fromEntries(Object.entries(each.features).map(([key, value]) => [key, bits(value)])),
      duplicates: each.duplicates,
      ...(each.cross_encoder === undefined ? {} : { cross_encoder: bits(each.cross_encoder) }),
    }));
    tally.record(name, [
      ["results", JSON.stringify(expected), JSON.stringify(got)],
      ["receipt", "yes", receipt === null ? "no" : "yes"],
    ]);
  }
  return tally.outcome();
}

function bits(value: number): string {
  return printHex([binary32Bits(value)], 8);
}
