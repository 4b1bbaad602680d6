import { blake3, toHex } from "../engine/digest.ts";
import { isNothingClose, resultsOf, type SearchAnswer, scoreBits, scoreKind } from "../search/answer.ts";
import { makeCursor, readCursor } from "../search/cursor.ts";
import { ask, type SearchPipeline } from "../search/ground.ts";
import type { ResolvedParameters } from "../search/parameters.ts";
import { parseCanonicalQuery } from "../search/parse-query.ts";
import { makeReceipt } from "../search/receipt.ts";
import { doneMode, receiptParameters } from "../search/receipt-parameters.ts";
import type { Ranking } from "../search/search.ts";
import { utf8 } from "../text/canonical.ts";
import type { Roots } from "./library-state.ts";
import type { Searched } from "./searched.ts";

/** A question that was read. */
export interface Asked {
  /** The text in canonical form. */
  readonly text: string;
  readonly p: ResolvedParameters;
  readonly key: string;
  /** Where the page starts; null if a cursor decides that. */
  readonly from: number | null;
  /** Nothing is searched, for example because the receipt says that nothing was. */
  readonly isNone: boolean;
}

/** A ranking, and the state of the library that it belongs to. */
export interface RankedState {
  readonly ranking: Ranking;
  readonly state: Roots;
  /** Which vectors of this state it was made from. */
  readonly vectorsEpoch?: number | undefined;
  readonly warnings: readonly string[];
  /** Whether everything requested could be done; warnings say what could not. */
  readonly isWhole: boolean;
}

/** An answer without what is measured or asked for in addition. */
export type AnsweredPage = Omit<SearchAnswer, "timings" | "explanation">;

/** Makes the answer of the requested page: display fields, cursor, receipt. SPEC §20.5, §20.6 */
export function* answerPage(
  { engine, identity, dimension, canonDigest }: Searched,
  { text, p, key, from: given, isNone }: Asked,
  { ranking, state, warnings, ...ranked }: RankedState,
): SearchPipeline<AnsweredPage> {
  const { root } = state;
  // They are measured on the model's own vectors, and say nothing about others.
  const thresholds = dimension === null ? identity.closeness : undefined;
  const metadataRoot = p.filters?.usesMetadata === true ? state.metadataRoot : null;
  // If something could not be done, the list is a different one, and pages of the two would overlap.
  const kind = warnings.length === 0 ? key : `${key} in part`;
  const binding = toHex(blake3(engine, utf8([canonDigest, root, metadataRoot ?? "", kind, text].join("\n"))));
  const from = given ?? (p.cursor === null ? 0 : readCursor(p.cursor, binding));
  const to = from + (p.pageSize ?? p.topK);
  const page = ranking.results.slice(from, to);
  const contents = yield* ask("contents", page);
  const isWhole = ranked.isWhole && !isNone;
  const done = scoreKind(doneMode(p, isWhole), p.sparseWeight);
  return {
    query: text,
    mode: p.mode,
    results: resultsOf(contents, ranking, page, scoreKind(p.mode, p.sparseWeight), thresholds),
    corrections: [...ranking.corrections],
    nothingClose: isNothingClose(ranking, thresholds),
    onlyStopWords: parseCanonicalQuery(text).isCommon,
    nextCursor: p.pageSize !== null && to < ranking.results.length ? makeCursor(to, binding) : null,
    warnings: [...warnings],
    receipt: makeReceipt(engine, {
      canon: canonDigest,
      root,
      metadataRoot,
      query: text,
      parameters: receiptParameters(p, isWhole, from),
      results: page.map((ranked) => ({ id: ranked.chunkId, score: scoreBits(ranking, ranked, done) })),
    }),
  };
}
