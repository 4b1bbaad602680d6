import type { Library } from "../library/library.ts";
import type { SearchParameters } from "../search/search-parameters.ts";
import { type Outcome, Tally } from "./outcome.ts";

/** test-vectors/search.json */
export interface SearchVectors {
  readonly parameters: { readonly canon: string; readonly root: string; readonly chunks: readonly string[] };
  readonly cases: readonly {
    readonly id: string;
    readonly query: string;
    readonly parameters: object;
    readonly match: string | null;
    readonly results: readonly string[];
    /** Where something is folded: the ids that were folded into each result. */
    readonly duplicates?: readonly string[];
    readonly receipt: string;
  }[];
}

/** Checks searches of a library that holds exactly the documents of test-vectors/corpus/. SPEC §20 */
export async function checkSearch(library: Library, vectors: SearchVectors): Promise<Outcome> {
  const tally = new Tally("search");
  const { canon, root, chunks } = vectors.parameters;
  const held: string[] = [];
  for (const { path } of await library.documents()) {
    for (const { chunkId, sequence } of await library.chunks(path))
      held.push(`${chunkId} ${path}#${sequence}`);
  }
  tally.record("the library", [
    ["canon", canon, library.canon],
    ["root", root, await library.root()],
    ["chunks", chunks.join("\n"), held.join("\n")],
  ]);
  for (const each of vectors.cases) {
    const parameters = { ...(each.parameters as SearchParameters), explain: true };
    const { results: found, receipt, explanation } = await library.search(each.query, parameters);
    const results = receipt.results.map(({ id, score }) => `${id} ${score}`);
    tally.record(`${each.id} ${JSON.stringify(each.parameters)}`, [
      ["match", String(each.match), String(explanation!.matchExpression)],
      ["results", each.results.join("\n"), results.join("\n")],
      ["receipt", each.receipt, receipt.digest],
      ...(each.duplicates === undefined
        ? []
        : [
            [
              "duplicates",
              each.duplicates.join("\n"),
              found.map(({ duplicates = [] }) => duplicates.join(" ")).join("\n"),
            ] as const,
          ]),
    ]);
  }
  return tally.outcome();
}
