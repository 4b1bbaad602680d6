// Seals of the rollback journal. SQLite ignores a journal whose header is damaged, stops at the first record whose
// checksum (over a few of its bytes) is wrong, and writes back whatever the other records hold. So each header gets a
// seal, and a journal is checked as a whole before SQLite may write back the first page.
//
//   0              12       16        20          24           28             36         44          sector
//   | magic, count | nonce  | pages   | sector    | page size  | transaction  | sum, u64 | zeros …   |
//   | page number, page with its seal, SQLite's sum |  × count, then the next header at the next sector
//
// SQLite writes a header in two steps: first with zeros for magic and count; then, once the records are on disk, these
// 12 bytes. The seal is written together with them. SPEC §14.5.
// https://www.sqlite.org/fileformat2.html#the_rollback_journal

import { PAGE_BYTES, type Seal, sealOf, sum } from "./page-seal.ts";
import type { PageFile } from "./sync-file.ts";

/** The bytes that SQLite writes in the second step. */
const BEGIN_BYTES = 12;
const HEADER_BYTES = 28;
const SEALED_BYTES = 44;
/** SQLite's smallest sector. Each header takes one sector and starts at a sector boundary. */
const SECTOR_BYTES_MIN = 512;
const RECORD_BYTES = 4 + PAGE_BYTES + 4;
const MAGIC = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
const WORD = 0x1_0000_0000;

/** A journal that passed its check. */
export interface JournalState {
  /** The last complete transaction before the one that it undoes. */
  readonly transaction: number;
  /** The database depends on the journal up to this position. */
  readonly bytes: number;
}

/** True if these bytes start a header: the second step of writing it. */
export function beginsHeader(bytes: Uint8Array): boolean {
  return bytes.byteLength === BEGIN_BYTES && hasMagic(bytes);
}

/**
 * Writes the first bytes of the header at `offset` together with its seal. Returns where its records end. If the disk
 * is full, the half-written header is cut off, since it would look like damage: no page depends on it yet.
 */
export function writeSealedHeader(
  journal: PageFile,
  begin: Uint8Array,
  offset: number,
  transaction: number,
): number {
  const header = new Uint8Array(SEALED_BYTES);
  journal.read(header.subarray(0, HEADER_BYTES), { at: offset });
  header.set(begin);
  const view = new DataView(header.buffer);
  view.setUint32(28, transaction % WORD, true);
  view.setUint32(32, Math.floor(transaction / WORD), true);
  const [low, high] = headerSum(header, offset);
  view.setUint32(36, low, true);
  view.setUint32(40, high, true);
  try {
    journal.write(header, { at: offset });
  } catch (error) {
    journal.truncate(offset);
    throw error;
  }
  return recordsEnd(header, offset);
}

/**
 * Checks a journal that SQLite is about to play back.
 *
 * @param first what page 1 of the database says, null if it cannot be read
 * @returns null if SQLite will ignore the journal, and may
 * @throws if any part that SQLite would write back, or should, is damaged
 */
export function checkJournal(journal: PageFile, first: Seal | null): JournalState | null {
  const size = journal.getSize();
  const header = new Uint8Array(SEALED_BYTES);
  let state: JournalState | null = null;
  let needed = 0;
  for (let offset = 0; ; offset = nextHeader(state!.bytes, sectorBytes(header))) {
    const count = journal.read(header.fill(0), { at: offset });
    if (!hasMagic(header)) {
      if (offset < needed || (offset === 0 && header.some((byte, at) => at < BEGIN_BYTES && byte !== 0)))
        throw damaged(`its header at byte ${offset}`);
      return state;
    }
    if (count < SEALED_BYTES || !isSealed(header, offset)) throw damaged(`its header at byte ${offset}`);
    const transaction = transactionOf(header);
    if (state === null) needed = neededBytes(transaction, first);
    else if (transaction !== state.transaction)
      throw damaged(`the transaction of its header at byte ${offset}`);
    const end = recordsEnd(header, offset);
    if (end > size) throw damaged("its end, which is missing");
    checkRecords(journal, header, offset + sectorBytes(header), end);
    state = { transaction, bytes: end };
  }
}

/**
 * Returns up to where the journal must be intact: as far as page 1 says, if it was written in the journal's
 * transaction.
 */
function neededBytes(transaction: number, first: Seal | null): number {
  if (first === null) return 0;
  const isWritten = first.isOpen ? first.transaction === transaction : first.transaction === transaction + 1;
  if (isWritten) return first.journalBytes;
  if (!first.isOpen && first.transaction === transaction) return 0;
  throw damaged("its transaction: it belongs to another state of the library");
}

function checkRecords(journal: PageFile, header: Uint8Array, begin: number, end: number): void {
  const nonce = new DataView(header.buffer).getUint32(12);
  // The page is at a multiple of four, where its words can be read.
  const record = new Uint8Array(4 + RECORD_BYTES);
  const page = record.subarray(8, 8 + PAGE_BYTES);
  const view = new DataView(record.buffer);
  for (let offset = begin; offset < end; offset += RECORD_BYTES) {
    journal.read(record.subarray(4), { at: offset });
    const number = view.getUint32(4);
    const isWhole =
      sealOf(page, number) !== null && view.getUint32(8 + PAGE_BYTES) === sqliteSum(page, nonce);
    if (!isWhole) throw damaged(`its record at byte ${offset}`);
  }
}

/** Returns SQLite's checksum of a record, over every 200th byte. A record with another checksum ends the playback. */
function sqliteSum(page: Uint8Array, nonce: number): number {
  let total = nonce;
  for (let at = PAGE_BYTES - 200; at > 0; at -= 200) total += page[at]!;
  return total >>> 0;
}

function recordsEnd(header: Uint8Array, offset: number): number {
  return offset + sectorBytes(header) + new DataView(header.buffer).getUint32(8) * RECORD_BYTES;
}

function nextHeader(offset: number, sector: number): number {
  return Math.ceil(offset / sector) * sector;
}

function sectorBytes(header: Uint8Array): number {
  return new DataView(header.buffer).getUint32(20);
}

function transactionOf(header: Uint8Array): number {
  const view = new DataView(header.buffer);
  return view.getUint32(32, true) * WORD + view.getUint32(28, true);
}

function isSealed(header: Uint8Array, offset: number): boolean {
  const view = new DataView(header.buffer);
  const [low, high] = headerSum(header, offset);
  const isAsWritten = sectorBytes(header) >= SECTOR_BYTES_MIN && view.getUint32(24) === PAGE_BYTES;
  return isAsWritten && view.getUint32(36, true) === low && view.getUint32(40, true) === high;
}

/** Returns the sum over the header, its position and the transaction. */
function headerSum(header: Uint8Array, offset: number): [low: number, high: number] {
  const words = new Uint32Array(10);
  new Uint8Array(words.buffer).set(header.subarray(0, 36));
  const out = new Uint32Array(2);
  sum(words, words.length, offset / SECTOR_BYTES_MIN, 0, 0, out);
  return [out[0]!, out[1]!];
}

function hasMagic(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, at) => bytes[at] === byte);
}

function damaged(part: string): Error {
  return new Error(`the rollback journal beside the file is damaged in ${part}`);
}
