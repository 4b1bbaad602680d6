import type { Engine } from "../engine/engine.ts";
import { exclusionExpression, matchExpression } from "../search/match.ts";
import { type ParsedQuery, parseQuery } from "../search/parse.ts";
import { selectTerms } from "../search/select-terms.ts";
import { searchText } from "../text/search-text.ts";
import { type Outcome, Tally } from "./outcome.ts";

interface QueryCase extends Omit<ParsedQuery, "semanticText"> {
  readonly name: string;
  readonly text: string;
  readonly times: number;
  readonly semanticText?: string;
  readonly semanticLength: number;
  readonly match: string | null;
  readonly exclusion: string | null;
}

/** test-vectors/query.json */
export interface QueryVectors {
  readonly cases: readonly QueryCase[];
  readonly searchText: readonly { readonly text: string; readonly searchText: string }[];
  readonly selections: readonly {
    readonly terms: Readonly<Record<string, number | undefined>>;
    readonly total: number;
    readonly matches: number;
    readonly shareThousandths: number;
    readonly kept: readonly string[];
  }[];
}

/** SPEC §15 */
export function checkQuery(engine: Engine, vectors: QueryVectors): Outcome {
  const tally = new Tally("query");
  const print = JSON.stringify;
  for (const each of vectors.cases) {
    const got = parseQuery(engine, each.text.repeat(each.times));
    tally.record(each.name, [
      ["phrases", print(each.phrases), print(got.phrases)],
      ["terms", print(each.terms), print(got.terms)],
      ["excluded", print(each.excluded), print(got.excluded)],
      ["semantic text", each.semanticText ?? got.semanticText, got.semanticText],
      ["its length", `${each.semanticLength}`, `${got.semanticText.length}`],
      ["match", `${each.match}`, `${matchExpression(got)}`],
      ["exclusion", `${each.exclusion}`, `${exclusionExpression(got.excluded)}`],
    ]);
  }
  for (const each of vectors.searchText) {
    tally.record(`search text of ${print(each.text)}`, [
      ["text", each.searchText, searchText(each.text)],
      ["twice", each.searchText, searchText(each.searchText)],
    ]);
  }
  for (const { terms, total, matches, shareThousandths, kept } of vectors.selections) {
    const frequencies = Object.entries(terms).map(([term, chunks]) => ({ term, chunks: chunks! }));
    const got = selectTerms(frequencies, total, { matches, shareThousandths });
    tally.record(`selection of ${print(terms)} in ${total}`, [["kept", kept.join(" "), got.join(" ")]]);
  }
  return tally.outcome();
}
