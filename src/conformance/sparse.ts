import { writeU32 } from "../engine/byte-order.ts";
import { fromHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { ownTerms } from "../search/sparse-query.ts";
import { SparseIndex, type SparseTerms } from "../vectors/sparse-index.ts";
import { sparseInteger } from "../vectors/sparse-weight.ts";
import { type Outcome, Tally } from "./outcome.ts";

type Terms = Readonly<Record<string, number | undefined>>;

/** test-vectors/sparse.json */
export interface SparseVectors {
  /** A weight and its integer. */
  readonly weights: readonly (readonly number[])[];
  readonly refused: readonly string[];
  readonly cases: readonly {
    readonly name: string;
    readonly chunks: readonly { readonly id: string; readonly terms: Terms }[];
    readonly searches: readonly {
      readonly query: Terms;
      readonly k: number;
      readonly hits: readonly string[];
    }[];
    readonly tokens: readonly {
      readonly tokens: readonly string[];
      readonly query: Terms;
      readonly hits: readonly string[];
    }[];
  }[];
}

/** The default of sparseK. */
const K = 80;

/** SPEC §24 */
export function checkSparse(engine: Engine, vectors: SparseVectors): Outcome {
  const tally = new Tally("sparse");
  for (const [weight, integer] of vectors.weights)
    tally.record(`weight ${weight}`, [["integer", `${integer}`, `${sparseInteger(weight!)}`]]);
  for (const weight of vectors.refused)
    tally.record(`weight ${weight}`, [["error", "BAD_VECTOR", errorOf(() => sparseInteger(Number(weight)))]]);
  for (const { name, chunks, searches, tokens } of vectors.cases) {
    const index = indexOf(engine, chunks);
    const hits = (query: SparseTerms, k: number) =>
      index
        .search(query, k)
        .map(({ id, score }) => `${id} ${score}`)
        .join();
    for (const [i, each] of searches.entries())
      tally.record(`${name}, search ${i}`, [["hits", each.hits.join(), hits(termsOf(each.query), each.k)]]);
    for (const [i, each] of tokens.entries()) {
      const query = ownTerms(each.tokens, index);
      tally.record(`${name}, tokens ${i}`, [
        ["query", printed(termsOf(each.query)), printed(query)],
        ["hits", each.hits.join(), hits(query, K)],
      ]);
    }
  }
  return tally.outcome();
}

function indexOf(engine: Engine, chunks: SparseVectors["cases"][number]["chunks"]): SparseIndex {
  const numbers = new Map<string, number>();
  const rows = chunks.map(({ id, terms }) => {
    const { terms: names, weights } = termsOf(terms);
    const entries = new Uint8Array(8 * names.length);
    for (const [i, name] of names.entries()) {
      const number = numbers.get(name) ?? numbers.size;
      numbers.set(name, number);
      writeU32(entries, writeU32(entries, 8 * i, number), weights[i]!);
    }
    return { id, entries };
  });
  rows.sort((a, b) => (a.id < b.id ? -1 : 1)); // hexadecimal digits
  return new SparseIndex(engine, {
    chunks: rows.length,
    termNumbers: numbers.size,
    entries: rows.reduce((sum, { entries }) => sum + entries.length / 8, 0),
    eachTerm: (visit) => {
      for (const [term, number] of numbers) visit(number, term);
    },
    eachChunk: (visit) => {
      for (const { id, entries } of rows) visit(fromHex(id), entries);
    },
  });
}

function termsOf(terms: Terms): SparseTerms {
  const entries = Object.entries(terms);
  return { terms: entries.map(([term]) => term), weights: entries.map(([, weight]) => weight!) };
}

function printed({ terms, weights }: SparseTerms): string {
  return terms
    .map((term, i) => `${term} ${weights[i]}`)
    .sort()
    .join();
}

function errorOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof SelfsameError) return error.code;
    throw error;
  }
  return "no error";
}
