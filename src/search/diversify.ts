import { littleEndianBytes } from "../engine/byte-order.ts";
import type { Engine } from "../engine/engine.ts";
import { NO_MEMORY } from "../engine/exports.generated.ts";
import { badArgument } from "../errors/arguments.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";

/**
 * Selects candidates by maximal marginal relevance: each next one should be both near the query and far from those
 * before it. Computed by the engine. SPEC §16.3
 *
 * @param vectors the candidates' vectors in fused order; zeros for a candidate without one
 * @param lambda 0 (far from the others) to 1 (near the query), rounded to thousandths
 * @returns indices into `vectors`, at most `count`
 */
export function diversify(
  engine: Engine,
  vectors: readonly Int16Array[],
  query: Int16Array,
  lambda: number,
  count: number,
): number[] {
  const thousandths = lambdaThousandths(lambda);
  if (vectors.some(({ length }) => length !== query.length)) {
    throw new SelfsameError("BAD_VECTOR", `expected vectors of ${query.length} elements, got another length`);
  }
  return chosen(engine, vectors, 2 * query.length, (out, rows, bytes) =>
    engine.exports.rank_diversify(
      out,
      rows,
      engine.write(littleEndianBytes(query)),
      vectors.length,
      bytes,
      thousandths,
      count,
    ),
  );
}

/**
 * Does the same with a relevance for each candidate in place of its nearness to the query. SPEC §26.9
 *
 * @param vectors all of one length; zeros for a candidate without one
 * @param relevance whole numbers on the scale of dot products, at most 2³⁰ in absolute value
 */
export function diversifyBy(
  engine: Engine,
  vectors: readonly Int16Array[],
  relevance: Int32Array,
  lambdaInThousandths: number,
  count: number,
): number[] {
  if (vectors.length === 0) return [];
  return chosen(engine, vectors, 2 * vectors[0]!.length, (out, rows, bytes) =>
    engine.exports.rank_diversify_by(
      out,
      rows,
      engine.write(littleEndianWords(relevance)),
      vectors.length,
      bytes,
      lambdaInThousandths,
      count,
    ),
  );
}

/** Copies the vectors in, runs `run`, and reads the numbers that it wrote. */
function chosen(
  engine: Engine,
  vectors: readonly Int16Array[],
  bytes: number,
  run: (out: number, rows: number, bytes: number) => number,
): number[] {
  return engine.scope(() => {
    const rows = engine.alloc(bytes * vectors.length);
    for (const [index, vector] of vectors.entries()) {
      engine.bytes(rows + index * bytes, bytes).set(littleEndianBytes(vector));
    }
    const out = engine.alloc(4 * vectors.length);
    const written = run(out, rows, bytes);
    if (written < 0) throw refusal(written);
    const numbers = new DataView(engine.read(out, 4 * written).buffer);
    return Array.from({ length: written }, (_, step) => numbers.getUint32(4 * step, true));
  });
}

function littleEndianWords(words: Int32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * words.length));
  for (const [index, word] of words.entries()) view.setInt32(4 * index, word, true);
  return new Uint8Array(view.buffer);
}

/** Returns λ in thousandths: floor(λ·1000 + ½) in binary64. SPEC §16.3 */
export function lambdaThousandths(lambda: number): number {
  // `!(… >= 0)` also rejects NaN.
  if (!(lambda >= 0) || lambda > 1) throw badArgument("diversify.lambda", "a number from 0 to 1", lambda);
  return Math.floor(lambda * 1000 + 0.5);
}

function refusal(code: number): SelfsameError {
  return code === NO_MEMORY
    ? new SelfsameError(
        "OUT_OF_MEMORY",
        "expected memory to diversify the results, got none",
        "Request fewer results",
      )
    : new SelfsameError(
        "BAD_VECTOR",
        "expected vectors of a multiple of 8 elements with a squared norm below 2^31, got another",
      );
}
