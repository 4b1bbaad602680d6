// The SimHash of a chunk's terms and its term norm (SPEC §16.6, §26.3), with tokens from FTS5 itself and hashes in BigInt.
import { openSqlite } from "./sqlite.ts";

/** How often each token of a text occurs, by its bytes in hexadecimal, as FTS5 counts them. */
export async function countTokens(text: string): Promise<Map<string, number>> {
  const { ask, close } = await openSqlite();
  await ask(
    "CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2')",
  );
  await ask("CREATE VIRTUAL TABLE tokens USING fts5vocab ('words', 'row')");
  await ask("INSERT INTO words (text) VALUES (?)", [text]);
  const rows = await ask("SELECT lower(hex(term)), cnt FROM tokens ORDER BY term");
  await close();
  return new Map(rows.map(([token, count]) => [String(token), Number(count)]));
}

const MASK = 0xffff_ffffn;

function half(token: Buffer, basis: bigint): bigint {
  let x = basis;
  for (const byte of token) x = ((x ^ BigInt(byte)) * 0x01000193n) & MASK;
  x = ((x ^ (x >> 16n)) * 0x85ebca6bn) & MASK;
  x = ((x ^ (x >> 13n)) * 0xc2b2ae35n) & MASK;
  return x ^ (x >> 16n);
}

/** SPEC §16.6: 16 hex digits. */
export function simHash(counts: ReadonlyMap<string, number>): string {
  let out = 0n;
  for (let bit = 63n; bit >= 0n; bit--) {
    let sum = 0;
    for (const [token, count] of counts) {
      const bytes = Buffer.from(token, "hex");
      const hash = (half(bytes, 0x811c9dc5n) << 32n) | half(bytes, 0x9747b28cn);
      sum += (hash >> bit) & 1n ? count : -count;
    }
    if (sum > 0) out |= 1n << bit;
  }
  return out.toString(16).padStart(16, "0");
}

/** ln of a whole number: log2 as SPEC §19.1 writes it down, times ln 2. */
export function ln(n: number): number {
  if (n === 1) return 0;
  let e = 0;
  let m = n;
  for (; m >= 2; e++) m /= 2;
  if (m >= 1.5) {
    m /= 2;
    e++;
  }
  const z = (m - 1) / (m + 1);
  let s = 1 / 23;
  for (const j of [21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1]) s = s * (z * z) + 1 / j;
  return (e + z * s * 2.8853900817779268) * Math.LN2;
}

/** SPEC §26.3: the sum rounded to binary32. */
export function termNorm(counts: ReadonlyMap<string, number>): number {
  const all = [...counts.values()].sort((a, b) => a - b);
  let sum = 0;
  for (const n of new Set(all)) {
    const w = 1 + ln(n);
    sum += all.filter((each) => each === n).length * (w * w);
  }
  return Math.fround(sum);
}
