import { toHex } from "../engine/digest.ts";
import { canonicalJson, type Json } from "../text/canonical-json.ts";
import { compareUtf8 } from "../text/utf8-order.ts";

/** What decides the place of an outside chunk in its document. */
export interface OrderedChunk {
  readonly id: Uint8Array;
  /** The JSON of its fields, parsed. */
  readonly fields: { readonly [name: string]: Json };
}

/** These fields are about the chunk, never about its document. */
const OF_CHUNK = new Set(["chunk_id", "num_tokens", "source_chunk_idxs", "doc_items_refs"]);

/** Compares two chunks of a document: by source_chunk_idxs, then by chunk_id, then by UUID. SPEC §23.1 */
export function compareChunks(a: OrderedChunk, b: OrderedChunk): number {
  return (
    compareNumbers(indexes(a), indexes(b)) ||
    compareNames(a.fields["chunk_id"] ?? null, b.fields["chunk_id"] ?? null) ||
    (toHex(a.id) < toHex(b.id) ? -1 : 1)
  );
}

function indexes({ fields }: OrderedChunk): readonly number[] {
  return (fields["source_chunk_idxs"] ?? []) as readonly number[];
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

/** None first, then numbers, then strings. */
function compareNames(a: Json, b: Json): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return compareUtf8(a, b);
  return kindOf(a) - kindOf(b);
}

function kindOf(name: Json): number {
  return name === null ? 0 : typeof name === "number" ? 1 : 2;
}

/**
 * Returns the metadata of an outside document as canonical JSON: the fields, other than those of single chunks, that all
 * of its chunks have with the same value; null if there are none. SPEC §23.1
 */
export function sharedFields(chunks: readonly OrderedChunk[]): string | null {
  const [first, ...others] = chunks;
  const shared = new Map<string, string>();
  for (const [name, value] of Object.entries(first?.fields ?? {}))
    if (!OF_CHUNK.has(name)) shared.set(name, canonicalJson(value));
  for (const { fields } of others) {
    if (shared.size === 0) return null;
    for (const [name, json] of shared)
      if (!Object.hasOwn(fields, name) || canonicalJson(fields[name]!) !== json) shared.delete(name);
  }
  if (shared.size === 0) return null;
  return canonicalJson(Object.fromEntries([...shared.keys()].map((name) => [name, first!.fields[name]!])));
}
