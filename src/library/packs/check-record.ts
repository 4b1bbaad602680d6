import type { Breather } from "../../engine/breather.ts";
import { toHex } from "../../engine/digest.ts";
import type { Engine } from "../../engine/engine.ts";
import { isPlainObject } from "../../errors/plain-object.ts";
import { SelfsameError } from "../../errors/selfsame-error.ts";
import { compareChunks } from "../../identity/outside-order.ts";
import { uuidOf } from "../../identity/uuid.ts";
import { packDamaged } from "../../packs/damage.ts";
import {
  isOutsideRecord,
  type OutsideChunkRecord,
  type OutsideDocumentRecord,
  type PackRecord,
  type TextRecord,
} from "../../packs/pack-record.ts";
import { utf8ToString } from "../../text/canonical.ts";
import { canonicalInTurns } from "../../text/canonical-in-turns.ts";
import { canonicalJson, type Json } from "../../text/canonical-json.ts";
import { parseNestedJson } from "../../text/nested-json.ts";
import { canonicalPath } from "../../text/path.ts";
import { SPARSE_ONE } from "../../vectors/sparse-weight.ts";
import { readOutsideChunk, type WeightedTerms } from "../outside/outside-record.ts";

/**
 * Checks that a document of a pack is one that a library could hold: everything canonical, nothing out of bounds. What
 * `add` would make of it is exactly what the pack says. SPEC §27.5
 *
 * @throws {SelfsameError} PACK_DAMAGED
 */
export async function checkRecord(engine: Engine, record: PackRecord, breather: Breather): Promise<void> {
  const where = `the document ${JSON.stringify(record.path.slice(0, 200))}`;
  const isRight = await refused(where, async () => {
    if (canonicalPath(engine, record.path) !== record.path) return false;
    if (isOutsideRecord(record)) return isOutsideRight(engine, record);
    return (
      isMetadataRight(record) && sameBytes(await canonicalInTurns(engine, record.text, breather), record.text)
    );
  });
  if (!isRight) throw packDamaged(`${where} in canonical form`, "another form");
}

/** Runs a check. What `add` and `ingest` refuse makes a pack a damaged one. */
async function refused(where: string, check: () => Promise<boolean>): Promise<boolean> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof SelfsameError && error.code.startsWith("BAD_"))
      throw packDamaged(where, error.reason);
    throw error;
  }
}

function isMetadataRight({ metadata, mime }: TextRecord): boolean {
  if (mime !== null && mime.length > 1 << 15) return false;
  if (metadata === null) return true;
  const json = parsed(metadata);
  return json !== null && Object.keys(json).length > 0 && canonicalJson(json) === metadata;
}

function isOutsideRight(engine: Engine, { path, chunks }: OutsideDocumentRecord): boolean {
  const ordered = chunks.map(({ id, fields }) => ({ id, fields: parsed(fields) ?? {} }));
  if (ordered.some((chunk, i) => i > 0 && compareChunks(ordered[i - 1]!, chunk) >= 0)) return false;
  return chunks.every((chunk) => isChunkRight(engine, path, chunk));
}

/** Reads the chunk as `ingest` would: the result must be what the pack says. */
function isChunkRight(engine: Engine, path: string, chunk: OutsideChunkRecord): boolean {
  const { id, text, fields, bm25, sparse } = chunk;
  const members = parsed(fields);
  const given = bm25 === null ? null : parsed(bm25);
  if (members === null || (bm25 !== null && given === null)) return false;
  const read = readOutsideChunk(
    engine,
    {
      ...members,
      uuid: uuidOf(id),
      doc_id: path,
      text: utf8ToString(text),
      bm25: given as unknown as WeightedTerms | null,
      sparse:
        sparse === null
          ? null
          : {
              terms: sparse.map(({ term }) => term),
              weights: sparse.map(({ weight }) => weight / SPARSE_ONE),
            },
    },
    null,
  );
  const isSparseSame =
    (read.sparse === null) === (sparse === null) &&
    (sparse ?? []).every(({ term, weight }, i) => {
      const entry = read.sparse![i];
      return entry?.term === term && entry.weight === weight;
    }) &&
    (read.sparse?.length ?? 0) === (sparse?.length ?? 0);
  return isSparseSame && sameBytes(read.text, text) && read.fields === fields && read.bm25 === bm25;
}

function parsed(json: string): { readonly [name: string]: Json } | null {
  try {
    const value = parseNestedJson(json);
    return isPlainObject(value) ? (value as { readonly [name: string]: Json }) : null;
  } catch {
    return null;
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && toHex(a) === toHex(b);
}
