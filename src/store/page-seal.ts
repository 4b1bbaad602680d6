// A checksum in the last 8 bytes of every page of a database file, so that a bit that has turned on the disk is an
// error and never another result: SQLite itself does not notice one inside a text, a vector or a block of the index.
//
//   0                                            4088        4092        4096
//   | what SQLite keeps in the page              | s1, u32   | s2, u32   |
//
// The sum is that of SQLite's own cksumvfs extension (little-endian words, modulo 2³²: s1 += even word + s2,
// s2 += odd word + s1), so that native SQLite can check these files, and write them, with that extension loaded.
// https://www.sqlite.org/cksumvfs.html

/** How many bytes SQLite must leave free at the end of each page. */
export const SEAL_BYTES = 8;

const HEADER_BYTES = 100;

/** The seals of one database file. What its pages are it learns from the header, whenever that passes. */
export class PageSeal {
  /** Of a page; 0 in a database without seals. */
  #pageBytes = 0;

  /** True if these bytes of the file are one whole page with a seal. */
  covers(bytes: Uint8Array, offset: number): boolean {
    if (offset === 0 && bytes.byteLength >= HEADER_BYTES) this.#pageBytes = sealedPageBytes(bytes);
    return bytes.byteLength === this.#pageBytes && offset % this.#pageBytes === 0;
  }

  /** False if these bytes are a page with a seal that does not match. */
  isWhole(bytes: Uint8Array, offset: number): boolean {
    return !this.covers(bytes, offset) || isSealed(bytes);
  }

  /** Seals the bytes if they are a page: into SQLite's own copy, whose last bytes it leaves to us. */
  renew(bytes: Uint8Array, offset: number): void {
    if (this.covers(bytes, offset)) sealPage(bytes);
  }
}

/** Writes the seal of a page into its last bytes. */
export function sealPage(page: Uint8Array): void {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const end = page.byteLength - SEAL_BYTES;
  const [s1, s2] = sums(view, end);
  view.setUint32(end, s1, true);
  view.setUint32(end + 4, s2, true);
}

/** True if the page's last bytes are its seal. */
export function isSealed(page: Uint8Array): boolean {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const end = page.byteLength - SEAL_BYTES;
  const [s1, s2] = sums(view, end);
  return view.getUint32(end, true) === s1 && view.getUint32(end + 4, true) === s2;
}

/**
 * The size of the pages of a sealed database, from the first 100 bytes of its file; 0 if its pages are not sealed.
 * https://www.sqlite.org/fileformat2.html#the_database_header
 */
export function sealedPageBytes(header: Uint8Array): number {
  if (MAGIC.some((byte, index) => header[index] !== byte) || header[20] !== SEAL_BYTES) return 0;
  const size = (header[16]! << 8) | header[17]!;
  return size === 1 ? 65536 : size;
}

const MAGIC = new TextEncoder().encode("SQLite format 3\0");

function sums(view: DataView, end: number): [s1: number, s2: number] {
  let s1 = 0;
  let s2 = 0;
  for (let at = 0; at < end; at += 8) {
    s1 = (s1 + view.getUint32(at, true) + s2) >>> 0;
    s2 = (s2 + view.getUint32(at + 4, true) + s1) >>> 0;
  }
  return [s1, s2];
}
