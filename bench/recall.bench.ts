// What a recall costs beside a hybrid search of the same query in the same run, the top 12 at 10,000 chunks, each query asked
// of both in turns. `npm run bench -- recall`; the first run makes the library (a minute).
import { median } from "./embed/timing.ts";
import type { Table } from "./run.ts";
import { openLibrary } from "./search/library.ts";
import { makeQueries, readPassages } from "./search/passages.ts";

const CHUNKS = 10_000;
const TOP_K = 12;
const QUERIES = 60;
const WARM_UP = 20;
const GOAL_RATIO = 1.6;
const GOAL_MS = 60;

export async function bench(): Promise<Table[]> {
  const passages = readPassages();
  const queries = makeQueries(passages, WARM_UP + QUERIES);
  const { library } = await openLibrary(CHUNKS, passages);
  const times: { search: number; recall: number }[] = [];
  try {
    for (const [i, query] of queries.entries()) {
      const search = await timed(() => library.search(query, { topK: TOP_K }));
      const recall = await timed(() => library.recall({ query_text: query, ctx: { top_k: TOP_K, now: 0 } }));
      if (i >= WARM_UP) times.push({ search, recall });
    }
  } finally {
    await library.close();
  }
  const [search, recall] = [
    median(times.map((each) => each.search)),
    median(times.map((each) => each.recall)),
  ];
  const ratio = recall / search;
  return [
    {
      title: `Recall and hybrid search, top ${TOP_K}, ${CHUNKS} chunks, p50 of ${QUERIES} queries over ${passages.name}`,
      rows: [
        {
          "search ms": search.toFixed(1),
          "recall ms": recall.toFixed(1),
          ratio: ratio.toFixed(2),
          [`≤ ${GOAL_RATIO} ×`]: ratio <= GOAL_RATIO ? "yes" : "NO",
          [`≤ ${GOAL_MS} ms`]: recall <= GOAL_MS ? "yes" : "NO",
        },
      ],
    },
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
