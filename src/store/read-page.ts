import * as sqlite from "./codes.ts";
import type { PageSeal } from "./page-seal.ts";

/** What a read for SQLite came to: its code, and what is wrong with the file where that is not SQLite's to say. */
export interface PageRead {
  readonly code: number;
  readonly damage: Error | null;
}

/** Fills `data` by `read`, which says how many bytes there were, and checks the seal if there is one. */
export function readPage(
  data: Uint8Array,
  offset: number,
  seal: PageSeal | null,
  read: (target: Uint8Array) => number,
): PageRead {
  // `data` only looks like a Uint8Array; its subarray is one.
  const target = data.subarray(0, data.byteLength);
  const done = read(target);
  if (done < target.byteLength) {
    target.fill(0, done);
    // Beyond the end are zeros; a page of which only a part is there was cut.
    if (done === 0 || !seal?.covers(target, offset)) return { code: sqlite.IOERR_SHORT_READ, damage: null };
  } else if (seal === null || seal.isWhole(target, offset)) return { code: sqlite.OK, damage: null };
  const page = offset / target.byteLength + 1;
  return {
    code: sqlite.CORRUPT,
    damage: new Error(`page ${page} does not match its checksum: damaged, or written by another program`),
  };
}
