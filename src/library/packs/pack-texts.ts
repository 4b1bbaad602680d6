import type { Breather } from "../../engine/breather.ts";
import { toHex } from "../../engine/digest.ts";
import { textHashes } from "../../identity/ids.ts";
import type { NamedRecord } from "../../packs/pack-identity.ts";
import { isOutsideRecord } from "../../packs/pack-record.ts";
import type { LibraryParts } from "../library-parts.ts";

/** The texts that need vectors: those that the documents of a batch are cut into. */
export interface PackTexts {
  /** The number of chunks. */
  readonly chunks: number;
  /** Each text once, by its hash in hexadecimal; null if the vectors came with the chunks. */
  readonly byHash: ReadonlyMap<string, PackText> | null;
}

export interface PackText {
  readonly textHash: Uint8Array;
  readonly text: Uint8Array;
}

/** Cuts the documents of a batch into the texts of their chunks. */
export async function packTexts(
  parts: LibraryParts,
  { documents }: { readonly documents: readonly NamedRecord[] },
  breather: Breather,
): Promise<PackTexts> {
  const { state } = parts;
  const byHash = new Map<string, PackText>();
  let chunks = 0;
  for (const { record } of documents) {
    if (isOutsideRecord(record) && state.dimension !== null) {
      chunks += record.chunks.length;
      continue;
    }
    const texts = await textsOf(parts, record, breather);
    chunks += texts.length;
    for (const each of texts) byHash.set(toHex(each.textHash), each);
  }
  return { chunks, byHash: state.dimension === null ? byHash : null };
}

/** Returns the texts of one document's chunks, in order. */
export async function textsOf(
  { engine, ingest }: LibraryParts,
  record: NamedRecord["record"],
  breather: Breather,
): Promise<PackText[]> {
  if (isOutsideRecord(record)) {
    const texts = record.chunks.map(({ text }) => text);
    return textHashes(engine, texts).map((textHash, i) => ({ textHash, text: texts[i]! }));
  }
  const cut = await ingest.cut(record, breather);
  return cut.map(({ start, end, textHash }) => ({ textHash, text: record.text.subarray(start, end) }));
}
