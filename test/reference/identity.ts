// Identity (SPEC §12): the bytes that are hashed, spelled out, and canonical JSON from first principles.
import { blake3 } from "./blake3.ts";
import { formatOf } from "./chunker.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const concat = (parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));
const littleEndian = (value: bigint, bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));

/** SPEC §12.1 */
const field = (bytes: Uint8Array): Uint8Array => concat([littleEndian(BigInt(bytes.length), 4), bytes]);
export const hash = (tag: string, ...fields: readonly Uint8Array[]): Uint8Array =>
  blake3(concat([field(utf8(`selfsame/${tag}`)), ...fields.map(field)]));

/** SPEC §12.2 */
export const documentId = (namespace: string, path: string): Uint8Array =>
  hash("document", utf8(namespace), utf8(path)).slice(0, 16);

/** SPEC §12.3 */
export const textHash = (text: Uint8Array): Uint8Array => hash("text", text);

/** SPEC §13.2 */
export const documentValue = (path: string, format: string, text: Uint8Array): Uint8Array =>
  format === formatOf(path) ? textHash(text) : hash("formatted", utf8(format), textHash(text));

/** SPEC §12.4 */
export const chunkId = (
  document: Uint8Array,
  sequence: number,
  headingPath: readonly string[],
  text: Uint8Array,
): Uint8Array =>
  hash(
    "chunk",
    document,
    littleEndian(BigInt(sequence), 4),
    concat(headingPath.map((title) => field(utf8(title)))),
    text,
  ).slice(0, 16);

/** SPEC §12.5 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    members.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return `{${members.map(([name, member]) => `${canonicalString(name)}:${canonicalJson(member)}`).join(",")}}`;
  }
  if (typeof value === "number") return canonicalNumber(value);
  return typeof value === "string" ? canonicalString(value) : String(value);
}

function canonicalString(text: string): string {
  const short: Record<string, string> = { "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r" };
  const escaped = Array.from(text, (c) => {
    if (c === '"' || c === "\\") return `\\${c}`;
    return short[c] ?? (c < " " ? `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}` : c);
  });
  return `"${escaped.join("")}"`;
}

/** The fewest digits that read back as the number, of those the nearest, laid out as the specification says. */
export function canonicalNumber(value: number): string {
  if (value === 0) return "0";
  if (value < 0) return `-${canonicalNumber(-value)}`;
  const [digits, n] = shortest(value);
  const k = digits.length;
  if (k <= n && n <= 21) return digits + "0".repeat(n - k);
  if (n > 0 && n <= 21) return `${digits.slice(0, n)}.${digits.slice(n)}`;
  if (n > -6 && n <= 0) return `0.${"0".repeat(-n)}${digits}`;
  const exponent = `e${n > 0 ? "+" : "-"}${Math.abs(n - 1)}`;
  return (k === 1 ? digits : `${digits[0]}.${digits.slice(1)}`) + exponent;
}

/** digits · 10^(n − number of digits); of numbers with as few digits the nearest, of two as near the even one. */
function shortest(value: number): [digits: string, n: number] {
  for (let k = 1; k <= 17; k++) {
    const [mantissa = "", exponent = ""] = value.toExponential(k - 1).split("e");
    const near = BigInt(mantissa.replace(".", ""));
    const scale = Number(exponent) - (k - 1);
    const fitting = [near - 1n, near, near + 1n].filter((s) => s > 0n && Number(`${s}e${scale}`) === value);
    const [best] = fitting
      .map((s) => ({ s, distance: distance(s, scale, value) }))
      .sort((a, b) => Number(a.distance - b.distance) || Number((a.s % 2n) - (b.s % 2n)));
    if (best !== undefined) return [String(best.s).replace(/0+$/, ""), String(best.s).length + scale];
  }
  throw new Error("17 digits are always enough");
}

/** |s · 10^scale − value|, exactly, times 10^400 · 2^1100. */
function distance(s: bigint, scale: number, value: number): bigint {
  let exponent = 0;
  let significand = value;
  for (; !Number.isInteger(significand); exponent--) significand *= 2;
  const decimal = s * 10n ** BigInt(400 + scale) * 2n ** 1100n;
  const binary = BigInt(significand) * 2n ** BigInt(1100 + exponent) * 10n ** 400n;
  return decimal > binary ? decimal - binary : binary - decimal;
}

export interface Metadata {
  readonly modifiedAt?: number;
  readonly mime?: string;
  readonly metadata?: object;
}

/** SPEC §12.6 */
export function metadataHash({ modifiedAt, mime, metadata }: Metadata): Uint8Array {
  const time =
    modifiedAt === undefined ? new Uint8Array(0) : littleEndian(BigInt.asUintN(64, BigInt(modifiedAt)), 8);
  return hash("metadata", time, utf8(mime ?? ""), utf8(canonicalJson(metadata ?? {})));
}
