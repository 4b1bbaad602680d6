import { Breather } from "../engine/breather.ts";
import { littleEndianBytes } from "../engine/byte-order.ts";
import { toHex } from "../engine/digest.ts";
import { counted } from "../errors/counted.ts";
import { abortedError } from "../errors/selfsame-error.ts";
import { INDEX_AGAIN, missingRow } from "../store/missing-row.ts";
import { utf8 } from "../text/canonical.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";
import type { LibraryParts } from "./library-parts.ts";

interface Counts {
  readonly chunks: number;
  readonly missing: number;
  readonly malformed: number;
}

/** Every chunk has its vector, and of `sample` texts it is the one that the model gives on this device. */
export async function checkVectors(
  parts: LibraryParts,
  sample: number | "all",
  signal: AbortSignal | undefined,
): Promise<Finding> {
  const { database, state, manifest, embedder } = parts;
  const { model } = state;
  const { chunks, missing, malformed } = database.get<Counts>(
    `SELECT count(*) AS chunks,
            coalesce(sum(vector IS NULL), 0) AS missing,
            coalesce(sum(length(vector) <> ?), 0) AS malformed
     FROM chunks LEFT JOIN embeddings ON embeddings.textHash = chunks.textHash AND model = ?`,
    [2 * manifest.hidden, model],
  )!;
  if (chunks === 0) return ok("vectors", "none, as there are no chunks");
  if (missing === chunks)
    return warning(
      "vectors",
      `none of ${counted(chunks, "chunk")} has one: searches go by words alone`,
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
      `${malformed} ${malformed === 1 ? "has" : "have"} another length than ${manifest.hidden}`,
      INDEX_AGAIN,
    );
  const texts = sampled(parts, sample);
  const breather = new Breather();
  for (const [i, { text, textHash }] of texts.entries()) {
    if (signal?.aborted)
      throw abortedError(signal, `${texts.length} texts embedded again`, `a stop after ${i}`);
    const kept = database.get<{ vector: Uint8Array }>(
      "SELECT vector FROM embeddings WHERE textHash = ? AND model = ?",
      [textHash, model],
    )?.vector;
    const made = littleEndianBytes(await embedder.embed(utf8(text)));
    if (kept !== undefined && toHex(kept) !== toHex(made)) {
      const which = `the text ${toHex(textHash).slice(0, 16)}… (${JSON.stringify(text.slice(0, 40))})`;
      return problem("vectors", `${which} has another vector than ${manifest.name} gives here`, INDEX_AGAIN);
    }
    await breather.due();
  }
  return ok(
    "vectors",
    `${chunks === 1 ? "of the one chunk" : `of all ${chunks} chunks`}; ${counted(texts.length, "text")} embedded again, to the bit`,
  );
}

/** So many texts, evenly spread over all of them by hash. */
function sampled(
  { database }: LibraryParts,
  sample: number | "all",
): { readonly text: string; readonly textHash: Uint8Array }[] {
  const hashes = database.all<{ textHash: Uint8Array }>(
    "SELECT DISTINCT textHash FROM chunks ORDER BY textHash",
  );
  const count = sample === "all" ? hashes.length : Math.min(sample, hashes.length);
  return Array.from({ length: count }, (_, i) => {
    const { textHash } = hashes[Math.floor((i * hashes.length) / count)]!;
    const sql = "SELECT text FROM chunks WHERE textHash = ? LIMIT 1";
    const found = database.get<{ text: string }>(sql, [textHash]);
    if (found === undefined) throw missingRow(database, `the text ${toHex(textHash)}`);
    return { textHash, text: found.text };
  });
}
