// The root of a set of documents (SPEC §13), built from nothing each time.
import { hash } from "./identity.ts";

/** Lower-case hex of an id (32 digits) → lower-case hex of its value (64 digits). */
export type Documents = ReadonlyMap<string, string>;

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** The record, in hex, of the node over the documents whose ids begin with `prefix`. SPEC §13.1 */
export function recordOf(documents: Documents, prefix = ""): string {
  return [..."0123456789abcdef"]
    .map((digit, i) => {
      const below = [...documents].filter(([id]) => id.startsWith(prefix + digit));
      if (below.length === 0) return "";
      if (below.length === 1) return `1${digit}${below[0]![0]}${below[0]![1]}`;
      return i.toString(16).padStart(2, "0") + digestOf(documents, prefix + digit);
    })
    .join("");
}

function digestOf(documents: Documents, prefix: string): string {
  return hexOf(hash("node", bytesOf(recordOf(documents, prefix))));
}

/** SPEC §13.2 */
export const rootOf = (documents: Documents): string => digestOf(documents, "");

/** Every node there is, by prefix. */
export function nodesOf(documents: Documents): Map<string, string> {
  const nodes = new Map([["", recordOf(documents)]]);
  for (const id of documents.keys()) {
    for (let length = 1; length <= id.length; length++) {
      const prefix = id.slice(0, length);
      if ([...documents.keys()].filter((other) => other.startsWith(prefix)).length < 2) break;
      if (!nodes.has(prefix)) nodes.set(prefix, recordOf(documents, prefix));
    }
  }
  return nodes;
}

/** Where two sets differ: id, value here, value there. SPEC §13.3 */
export function differences(here: Documents, there: Documents): [string, string | null, string | null][] {
  return [...new Set([...here.keys(), ...there.keys()])]
    .sort()
    .filter((id) => here.get(id) !== there.get(id))
    .map((id) => [id, here.get(id) ?? null, there.get(id) ?? null]);
}

/** The digest of the documents whose ids begin with these bits, a text of 0 and 1. SPEC §13.4 */
export function subtreeOf(documents: Documents, bits: string): string {
  const binary = (hex: string) =>
    [...hex].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
  const whole = Math.min(31, Math.floor(bits.length / 4));
  const digits = Array.from({ length: whole }, (_, i) =>
    Number.parseInt(bits.slice(4 * i, 4 * i + 4), 2).toString(16),
  ).join("");
  const below = (prefix: string) => [...documents].filter(([id]) => id.startsWith(prefix));
  const entries: string[] = [];
  if (digits === "" || below(digits).length >= 2) {
    for (const digit of "0123456789abcdef") {
      const found = below(digits + digit);
      const [first] = found;
      if (found.length === 1 && binary(first![0]).startsWith(bits))
        entries.push(`1${digit}${first!.join("")}`);
      if (found.length >= 2 && binary(digits + digit).startsWith(bits))
        entries.push(`0${digit}${digestOf(documents, digits + digit)}`);
    }
  } else {
    for (const [id, value] of below(digits)) {
      if (!binary(id).startsWith(bits)) continue;
      let depth = 1;
      while (below(id.slice(0, depth)).length > 1) depth++;
      entries.push(`1${id[depth - 1]}${id}${value}`);
    }
  }
  return hexOf(hash("subtree", new TextEncoder().encode(bits), bytesOf(entries.join(""))));
}

/** Some bit prefixes for every set: short ones, and those of its first document. */
export function somePrefixes(documents: Documents): string[] {
  const [first = "0".repeat(32)] = [...documents.keys()].sort();
  const bits = [...first].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
  return [
    ...new Set(["", "0", "1", "011", ...[2, 4, 5, 7, 8, 9, 11, 127, 128].map((n) => bits.slice(0, n))]),
  ];
}
