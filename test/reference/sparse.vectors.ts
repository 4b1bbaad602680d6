/** test-vectors/sparse.json: sparse vectors, and the chunks that a query finds by them. */
import { splitmix32 } from "./prng.ts";
import { idfTerms, integers, type Sparse, type SparseChunk, sparseSearch } from "./sparse.ts";

const WEIGHTS = [
  0,
  1 / 8192,
  1 / 4096,
  3 / 4096,
  5 / 4096,
  1 / 2048,
  0.09,
  0.24,
  1,
  1.5,
  2.75,
  3.999,
  17,
  511.9,
  511.9995,
  512,
  1e30,
  2 ** -149,
];
const REFUSED = ["-1", "NaN", "Infinity", "1e39", "-1e-300"];

function id(next: () => number): string {
  return Array.from({ length: 4 }, () => next().toString(16).padStart(8, "0")).join("");
}

function drawn(next: () => number, chunks: number, terms: number, span: number): SparseChunk[] {
  return Array.from({ length: chunks }, () => {
    const entries = Array.from({ length: next() % 9 }, (): [string, number] => [
      `t${Math.min(next() % terms, next() % terms)}`,
      (1 + (next() % span)) / 2048,
    ]);
    return { id: id(next), terms: integers(Object.fromEntries(entries)) };
  }).filter(({ terms }) => Object.keys(terms).length > 0);
}

function library(
  name: string,
  chunks: SparseChunk[],
  queries: { query: Sparse; k: number }[],
  tokens: string[][],
) {
  const search = (query: Sparse, k: number) =>
    sparseSearch(chunks, query, k).map(([each, score]) => `${each} ${score}`);
  return {
    name,
    chunks: chunks.map((chunk) => ({ id: chunk.id, terms: chunk.terms })),
    searches: queries.map(({ query, k }) => ({
      query: integers(query),
      k,
      hits: search(integers(query), k),
    })),
    tokens: tokens.map((each) => {
      const query = idfTerms(chunks, each);
      return { tokens: each, query, hits: search(query, 80) };
    }),
  };
}

export function generate() {
  const next = splitmix32(24);
  const small: SparseChunk[] = [
    { id: "00".repeat(16), terms: { restore: 492, backup: 184 } },
    { id: "ff".repeat(16), terms: { restore: 492 } },
    { id: "7f".repeat(16), terms: { restore: 492, é: 1, 字: 2 ** 20 - 1 } },
    { id: "01".repeat(16), terms: { "##ing": 5, constructor: 7, __proto: 9 } },
  ];
  const cases = [
    library("no chunk", [], [{ query: { a: 1 }, k: 3 }], [["a"]]),
    library(
      "four chunks",
      small,
      [
        { query: { restore: 0.24, backup: 0.09 }, k: 10 },
        { query: { restore: 1 }, k: 10 },
        { query: { restore: 1 }, k: 2 },
        { query: { 字: 512, é: 512 }, k: 10 },
        { query: { Restore: 1, e: 1 }, k: 10 },
        { query: { restore: 1 / 8192 }, k: 10 },
        { query: { constructor: 1, "##ing": 1, toString: 1 }, k: 10 },
        { query: {}, k: 10 },
      ],
      [["restore", "restore", "##ing"], ["none"], []],
    ),
  ];
  for (const [i, [chunks, terms, span]] of [
    [40, 6, 2],
    [120, 30, 9000],
    [300, 300, 2 ** 20],
  ].entries()) {
    const queries = Array.from({ length: 6 }, () => ({
      query: Object.fromEntries(
        Array.from({ length: 1 + (next() % 6) }, () => [
          `t${next() % terms!}`,
          (1 + (next() % span!)) / 2048,
        ]),
      ),
      k: [1, 3, 80, 10_000][next() % 4]!,
    }));
    const tokens = [Array.from({ length: 5 }, () => `t${next() % terms!}`)];
    cases.push(library(`drawn ${i}`, drawn(next, chunks!, terms!, span!), queries, tokens));
  }
  return {
    _comment:
      "weights: a number and its integer. refused: numbers that give BAD_VECTOR. cases: the terms of chunks and queries with their integers; hits: id and score of the first k. tokens: the query's own tokens, their integer idf, and the hits of those.",
    spec: "SPEC §24",
    weights: WEIGHTS.map((weight) => [weight, integers({ t: weight }).t ?? 0]),
    refused: REFUSED,
    cases,
  };
}
