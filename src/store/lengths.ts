/**
 * How many tokens each chunk has, in blocks of neighbouring rowids: two bytes a chunk, so that the lengths of a million
 * chunks are 500 rows. FTS5 has them as well, but in a row for each chunk, and to look up 100,000 of these takes longer
 * than all the rest of a search. 0 stands for a length that is not written here, and FTS5 is asked. What a chunk that was
 * removed leaves here does no harm: no list of a word has it, and the next chunk with its rowid overwrites it.
 */
import type { Database } from "./database.ts";
import { damaged, Varints } from "./word-pages.ts";

/** A row then fits into one page of the file. */
export const BLOCK_CHUNKS = 2000;
/** Longer chunks are not written here. */
const LENGTH_MAX = 0xffff;

/** Returns the number of the block that a chunk is in. Its place there is the remainder. */
export function blockOf(chunk: number): number {
  return Math.floor(chunk / BLOCK_CHUNKS);
}

/** Returns the lengths of the chunks of a block, as they are stored. */
export function readBlock(database: Database, block: number): Uint8Array<ArrayBuffer> {
  const lengths = new Uint8Array(2 * BLOCK_CHUNKS);
  database.each("SELECT lengths FROM lengths WHERE block = ?", [block], (row) => {
    lengths.set(row.blobView(0).subarray(0, lengths.length));
  });
  return lengths;
}

/** Returns the lengths of all chunks, by block. */
export function readBlocks(database: Database): Map<number, Uint8Array> {
  const blocks = new Map<number, Uint8Array>();
  database.each("SELECT block, lengths FROM lengths", [], (row) => {
    const lengths = new Uint8Array(2 * BLOCK_CHUNKS);
    lengths.set(row.blobView(1).subarray(0, lengths.length));
    blocks.set(row.value(0) as number, lengths);
  });
  return blocks;
}

/** Returns the length at a place of a block; 0 if it is not written there. */
export function lengthAt(lengths: Uint8Array, place: number): number {
  return lengths[2 * place]! | (lengths[2 * place + 1]! << 8);
}

/** Returns the number of tokens of a chunk, in its text and its headings, as FTS5 has it. */
export function storedLength(database: Database, chunk: number): number {
  const length = lengthIfStored(database, chunk);
  if (length === undefined) throw damaged(database, `no length of chunk ${chunk}`);
  return length;
}

function lengthIfStored(database: Database, chunk: number): number | undefined {
  const sql = "SELECT sz AS wordLengths FROM search_docsize WHERE id = ?";
  const lengths = database.get<{ wordLengths: Uint8Array }>(sql, [chunk])?.wordLengths;
  return lengths === undefined ? undefined : lengthIn(database, lengths);
}

/** Writes the lengths of chunks that FTS5 has just indexed, in the open transaction. Those that are gone again have none. */
export function writeLengths(database: Database, chunks: readonly number[]): void {
  const blocks = new Map<number, Uint8Array>();
  for (const chunk of chunks) {
    const block = blockOf(chunk);
    const lengths = blocks.get(block) ?? readBlock(database, block);
    setLength(lengths, chunk % BLOCK_CHUNKS, lengthIfStored(database, chunk) ?? 0);
    blocks.set(block, lengths);
  }
  for (const [block, lengths] of blocks) put(database, block, lengths);
}

/** Writes the lengths of all chunks, in the open transaction. */
export function rebuildLengths(database: Database): void {
  database.run("DELETE FROM lengths");
  let block = -1;
  let lengths = new Uint8Array(2 * BLOCK_CHUNKS);
  eachStoredLength(database, (chunk, length) => {
    if (blockOf(chunk) !== block) {
      if (block >= 0) put(database, block, lengths);
      block = blockOf(chunk);
      lengths = new Uint8Array(2 * BLOCK_CHUNKS);
    }
    setLength(lengths, chunk % BLOCK_CHUNKS, length);
  });
  if (block >= 0) put(database, block, lengths);
}

/** Returns a chunk whose length is written wrongly, or null. */
export function wrongLength(database: Database): number | null {
  let wrong: number | null = null;
  let block = -1;
  let lengths = new Uint8Array(0);
  eachStoredLength(database, (chunk, length) => {
    if (blockOf(chunk) !== block) {
      block = blockOf(chunk);
      lengths = readBlock(database, block);
    }
    const said = lengthAt(lengths, chunk % BLOCK_CHUNKS);
    if (said !== 0 && said !== length) wrong ??= chunk;
  });
  return wrong;
}

function eachStoredLength(database: Database, take: (chunk: number, length: number) => void): void {
  database.each("SELECT id AS chunk, sz AS wordLengths FROM search_docsize ORDER BY id", [], (row) =>
    take(row.value(0) as number, lengthIn(database, row.blobView(1))),
  );
}

function setLength(lengths: Uint8Array, place: number, length: number): void {
  const written = length > LENGTH_MAX ? 0 : length;
  lengths[2 * place] = written & 255;
  lengths[2 * place + 1] = written >> 8;
}

function put(database: Database, block: number, lengths: Uint8Array): void {
  database.run(
    "INSERT INTO lengths (block, lengths) VALUES (?, ?) ON CONFLICT (block) DO UPDATE SET lengths = excluded.lengths",
    [block, lengths],
  );
}

/** Returns the number of tokens that FTS5's record of a chunk says: the sum over its columns. */
export function lengthIn(database: Database, bytes: Uint8Array): number {
  const reader = new Varints(database, bytes, 0, bytes.length);
  let sum = 0;
  while (!reader.isAtEnd) sum += reader.next();
  return sum;
}
