import { Breather } from "../engine/breather.ts";
import { littleEndianBytes } from "../engine/byte-order.ts";
import { toHex } from "../engine/digest.ts";
import { counted } from "../errors/counted.ts";
import { abortedError } from "../errors/selfsame-error.ts";
import { INDEX_AGAIN, INGEST_AGAIN } from "../store/missing-row.ts";
import { utf8 } from "../text/canonical.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";
import type { LibraryParts } from "./library-parts.ts";
import { randomSample } from "./random-sample.ts";

/** Checks that every chunk of a library of external vectors has one. Nothing here could compute them again. */
function checkOutsideVectors({ database, state }: LibraryParts, dimension: number): Finding {
  const { chunks, missing, malformed } = database.get<Counts>(
    `SELECT count(*) AS chunks,
            coalesce(sum(vector IS NULL), 0) AS missing,
            coalesce(sum(length(vector) <> ?), 0) AS malformed
     FROM chunks LEFT JOIN outsideVectors USING (chunk)`,
    [2 * dimension],
  )!;
  if (missing > 0 || malformed > 0)
    return problem(
      "vectors",
      `${missing} of ${counted(chunks, "chunk")} without one, ${malformed} of another length than ${dimension}`,
      INGEST_AGAIN,
    );
  return ok("vectors", `of all ${counted(chunks, "chunk")}, ${state.canon.vectors}; the root covers them`);
}

interface Counts {
  readonly chunks: number;
  readonly missing: number;
  readonly malformed: number;
}

/**
 * Checks that every chunk has its vector, and that a sample of `sample` vectors equals what the model gives on this
 * device.
 *
 * @param choose selects the vectors: the given count of numbers below the second argument
 */
export async function checkVectors(
  parts: LibraryParts,
  sample: number,
  signal: AbortSignal | undefined,
  choose: (count: number, of: number) => number[] = randomSample,
): Promise<Finding> {
  const { database, state, identity, embedder } = parts;
  if (state.dimension !== null) return checkOutsideVectors(parts, state.dimension);
  const { model } = state;
  const { chunks, missing, malformed } = database.get<Counts>(
    `SELECT count(*) AS chunks,
            coalesce(sum(vector IS NULL), 0) AS missing,
            coalesce(sum(length(vector) <> ?), 0) AS malformed
     FROM chunks LEFT JOIN embeddings ON embeddings.textHash = chunks.textHash AND model = ?`,
    [2 * identity.hidden, model],
  )!;
  if (chunks === 0) return ok("vectors", "none, as there are no chunks");
  if (missing === chunks)
    return warning(
      "vectors",
      `none of ${counted(chunks, "chunk")} has a vector: only words are searched`,
      INDEX_AGAIN,
    );
  if (missing > 0)
    return problem(
      "vectors",
      `${missing} of ${counted(chunks, "chunk")} ${missing === 1 ? "has" : "have"} none`,
      INDEX_AGAIN,
    );
  if (malformed > 0)
    return problem(
      "vectors",
      `${malformed} ${malformed === 1 ? "has" : "have"} a length other than ${identity.hidden}`,
      INDEX_AGAIN,
    );
  const hashes = database.all<{ textHash: Uint8Array }>(
    "SELECT DISTINCT textHash FROM chunks ORDER BY textHash",
  );
  const chosen = choose(Math.min(sample, hashes.length), hashes.length);
  const breather = new Breather();
  for (const [i, number] of chosen.entries()) {
    if (signal?.aborted)
      throw abortedError(signal, `${chosen.length} texts embedded again`, `a stop after ${i}`);
    const { textHash } = hashes[number]!;
    const row = database.get<{ text: string; vector: Uint8Array }>(
      "SELECT text, vector FROM chunks JOIN embeddings USING (textHash) WHERE textHash = ? AND model = ? LIMIT 1",
      [textHash, model],
    );
    await breather.due();
    if (row === undefined) continue; // removed meanwhile
    const { text, vector } = row;
    if (toHex(vector) === toHex(littleEndianBytes(await embedder.embed(utf8(text))))) continue;
    const which = `the text ${toHex(textHash).slice(0, 16)}… (${JSON.stringify(text.slice(0, 40))})`;
    const looked = `${i + 1} of ${counted(hashes.length, "vector")} re-embedded`;
    return problem(
      "vectors",
      `${which} has a vector other than the one that ${identity.name} gives here; ${looked}`,
      INDEX_AGAIN,
    );
  }
  return ok("vectors", `of all ${counted(chunks, "chunk")}; ${extent(chosen.length, hashes.length)}`);
}

/**
 * Describes how much was checked. One wrong vector of `of` is among `looked` random ones with probability looked / of.
 */
function extent(looked: number, of: number): string {
  if (looked === of) return `all ${counted(of, "vector")} re-embedded, equal to the bit`;
  const percent = ((100 * looked) / of).toFixed(1);
  return `${looked} of ${counted(of, "vector")} re-embedded, equal to the bit: a single wrong vector would be found with a probability of ${percent} %, and always by a full check`;
}
