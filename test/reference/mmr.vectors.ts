import { hexOfI16 } from "./hex.ts";
import { splitmix32 } from "./prng.ts";
import { diversify, unitVector } from "./ranking.ts";

const DIM = 32;

/** Small whole numbers around 0, so that every host makes the same vectors of them. */
function draws(seed: number): () => number {
  const next = splitmix32(seed);
  return () => (next() % 2001) - 1000;
}

const noise = (draw: () => number): number[] => Array.from({ length: DIM }, draw);
const mix = (a: readonly number[], b: readonly number[], share: number): number[] =>
  a.map((x, i) => x + share * b[i]!);

/** DocsToKG's test: five near-duplicates, nearest to the query, before ten other relevant chunks. */
export function nearDuplicates(): { vectors: Int16Array[]; query: Int16Array } {
  const draw = draws(5);
  const query = noise(draw);
  const first = mix(query, noise(draw), 0.6);
  const duplicates = Array.from({ length: 5 }, () => unitVector(mix(first, noise(draw), 0.1)));
  const others = Array.from({ length: 10 }, () => unitVector(mix(query, noise(draw), 0.8)));
  return { vectors: [...duplicates, ...others], query: unitVector(query) };
}

function drawnVectors(count: number, seed: number): { vectors: Int16Array[]; query: Int16Array } {
  const draw = draws(seed);
  return {
    query: unitVector(noise(draw)),
    vectors: Array.from({ length: count }, () => unitVector(noise(draw))),
  };
}

/** SPEC §16.3 */
export function generate() {
  const axis = (i: number, length = 32767): Int16Array =>
    Int16Array.from({ length: 8 }, (_, j) => (i === j ? length : 0));
  const large = Int16Array.from({ length: 8 }, () => 16383);
  const cases: [string, { vectors: Int16Array[]; query: Int16Array }, number, number][] = [
    ["DocsToKG: five near-duplicates among fifteen", nearDuplicates(), 700, 5],
    ["the same, all of them", nearDuplicates(), 700, 15],
    ["relevance alone", nearDuplicates(), 1000, 15],
    ["diversity alone", nearDuplicates(), 0, 15],
    ["λ = 0.5", nearDuplicates(), 500, 10],
    ["nothing to choose from", { vectors: [], query: axis(0) }, 700, 5],
    ["none wanted", { vectors: [axis(0)], query: axis(0) }, 700, 0],
    ["more wanted than there are", { vectors: [axis(1), axis(0)], query: axis(0) }, 700, 9],
    ["all equal: by fused rank", { vectors: [axis(0), axis(0), axis(0), axis(0)], query: axis(0) }, 700, 4],
    ["zero vectors", { vectors: [axis(9), axis(0), axis(9), axis(0)], query: axis(0) }, 300, 4],
    ["a zero query", { vectors: [axis(0), axis(0), axis(1)], query: axis(9) }, 700, 3],
    [
      "opposites: the nearest chosen may be far",
      { vectors: [axis(0), axis(0, -32767), axis(1)], query: axis(2) },
      500,
      3,
    ],
    ["the largest norms", { vectors: [large, large.map((x) => -x), axis(0)], query: large }, 1, 3],
    ...[1, 2, 3, 4, 5, 6].map(
      (seed): [string, { vectors: Int16Array[]; query: Int16Array }, number, number] => [
        `drawn ${seed}`,
        drawnVectors(8 * seed, seed),
        137 * seed,
        6 * seed,
      ],
    ),
  ];
  const wide = axis(0).map(() => 32767);
  return {
    _comment:
      "Maximal marginal relevance. Vectors are i16 as hex, in fused order; lambda in thousandths; chosen: their numbers from 0 in diversified order. invalid: refused with that error.",
    spec: "SPEC §16.3",
    parameters: { lambda: 700 },
    cases: cases.map(([name, { vectors, query }, lambda, count]) => ({
      name,
      lambda,
      count,
      query: hexOfI16(query),
      vectors: vectors.map(hexOfI16),
      chosen: diversify(vectors, query, lambda, count).join(" "),
    })),
    invalid: [
      {
        name: "a vector too long",
        lambda: 700,
        query: hexOfI16(axis(0)),
        vectors: [hexOfI16(wide)],
        error: "BAD_VECTOR",
      },
      {
        name: "a query too long",
        lambda: 700,
        query: hexOfI16(wide),
        vectors: [hexOfI16(axis(0))],
        error: "BAD_VECTOR",
      },
      {
        name: "−32768",
        lambda: 700,
        query: hexOfI16(axis(0)),
        vectors: [hexOfI16(axis(0, -32768))],
        error: "BAD_VECTOR",
      },
      {
        name: "another dimension",
        lambda: 700,
        query: hexOfI16(axis(0)),
        vectors: ["7fff0000"],
        error: "BAD_VECTOR",
      },
      {
        name: "no multiple of 8",
        lambda: 700,
        query: "7fff0000",
        vectors: ["7fff0000"],
        error: "BAD_VECTOR",
      },
      {
        name: "λ below 0",
        lambda: -1,
        query: hexOfI16(axis(0)),
        vectors: [hexOfI16(axis(0))],
        error: "BAD_ARGUMENT",
      },
      {
        name: "λ above 1",
        lambda: 1001,
        query: hexOfI16(axis(0)),
        vectors: [hexOfI16(axis(0))],
        error: "BAD_ARGUMENT",
      },
    ],
  };
}
