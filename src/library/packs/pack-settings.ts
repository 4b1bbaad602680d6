import { loadEngine } from "../../engine/load.ts";
import { packDamaged } from "../../packs/damage.ts";
import type { PackHeader } from "../../packs/pack-header.ts";
import { PackReader } from "../../packs/pack-reader.ts";
import type { OpenOptions } from "../open-options.ts";
import { readVectorSource } from "../vector-source.ts";

/** Reads the header of a pack, and nothing after it. @throws {SelfsameError} PACK_DAMAGED */
export async function readPackHeader(stream: AsyncIterable<Uint8Array>): Promise<PackHeader> {
  const { engine } = await loadEngine({});
  const reader = new PackReader(engine, stream);
  try {
    return await reader.header();
  } finally {
    await reader.close();
  }
}

/** Returns the options with which a library for a pack is made. The model is not among them: its files are not in the pack. */
export async function settingsOfPack(stream: AsyncIterable<Uint8Array>): Promise<OpenOptions> {
  const { canon } = await readPackHeader(stream);
  const [maxTokens, overlapTokens, maxBytes] = (canon["chunking"] ?? "").split(" ").map(Number);
  const { namespace, vectors = "model", segment } = canon;
  const isWhole = [maxTokens, overlapTokens, maxBytes, Number(segment)].every(Number.isSafeInteger);
  if (!isWhole || namespace === undefined) throw packDamaged("the parts of a canon", "others");
  const source = readVectorSource(vectors, "the pack");
  return {
    namespace,
    chunking: { maxTokens: maxTokens!, overlapTokens: overlapTokens!, maxBytes: maxBytes! },
    segment: Number(segment),
    ...(canon["index"] === "hnsw" || canon["index"] === "exact" ? { index: canon["index"] } : {}),
    ...(source === "model" ? {} : { vectors: source }),
  };
}
