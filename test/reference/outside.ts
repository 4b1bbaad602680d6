// Outside data (SPEC §23): records as they are given, in plain code.
import { canonicalJson, hash, textHash } from "./identity.ts";
import { canonicalText } from "./text.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const order = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

export interface Given {
  readonly uuid: string;
  readonly doc_id: string;
  readonly text: string;
  readonly sparse?: { readonly terms: readonly string[]; readonly weights: readonly number[] };
  readonly bm25?: { readonly terms: readonly string[]; readonly weights: readonly number[] };
  readonly [field: string]: unknown;
}

const APART = ["uuid", "doc_id", "text", "vector", "sparse", "bm25"];
const OF_CHUNK = ["chunk_id", "num_tokens", "source_chunk_idxs", "doc_items_refs"];

export const idOf = (uuid: string): Uint8Array =>
  Uint8Array.from(Buffer.from(uuid.replaceAll("-", ""), "hex"));
const fieldsOf = (given: Given): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !APART.includes(name)));
export const textOf = (given: Given): string =>
  new TextDecoder().decode(canonicalText(utf8(given.text))).replace(/\n$/, "");

/** SPEC §24.1 */
function integerOf(weight: number): number {
  const scaled = Math.fround(weight) * 2048;
  const below = Math.floor(scaled);
  const up = scaled - below > 0.5 || (scaled - below === 0.5 && below % 2 === 1);
  return Math.min(up ? below + 1 : below, 2 ** 20 - 1);
}

const u32 = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer); // little-endian hosts
const lengthAnd = (bytes: Uint8Array): number[] => [...u32(bytes.length), ...bytes];

function sparseBytes(given: Given): Uint8Array {
  const { terms, weights } = given.sparse ?? { terms: [], weights: [] };
  const pairs = terms.map((term, i) => [term, integerOf(weights[i]!)] as const).filter(([, w]) => w > 0);
  pairs.sort(([a], [b]) => order(a, b));
  return Uint8Array.from(pairs.flatMap(([term, w]) => [...lengthAnd(utf8(term)), ...lengthAnd(u32(w))]));
}

function bm25Bytes({ bm25 }: Given): Uint8Array {
  if (bm25 === undefined) return new Uint8Array(0);
  const pairs = bm25.terms.map((term, i) => [term, bm25.weights[i]!] as const);
  const sorted = [...pairs].sort(([a], [b]) => order(a, b));
  return utf8(canonicalJson({ terms: sorted.map(([t]) => t), weights: sorted.map(([, w]) => w) }));
}

/** SPEC §23.1, 4 */
export function inOrder(chunks: readonly Given[]): Given[] {
  const kind = (name: unknown) =>
    name === undefined || name === null ? 0 : typeof name === "number" ? 1 : 2;
  return [...chunks].sort((a, b) => {
    const [x, y] = [a, b].map((each) => (each["source_chunk_idxs"] ?? []) as number[]) as [
      number[],
      number[],
    ];
    for (let i = 0; i < Math.max(x.length, y.length); i++)
      if (x[i] !== y[i]) return (x[i] ?? -1) - (y[i] ?? -1);
    const [p, q] = [a["chunk_id"], b["chunk_id"]];
    if (kind(p) !== kind(q)) return kind(p) - kind(q);
    if (typeof p === "number" && p !== q) return p - (q as number);
    if (typeof p === "string" && p !== q) return order(p, q as string);
    return Buffer.compare(Buffer.from(idOf(a.uuid)), Buffer.from(idOf(b.uuid)));
  });
}

/** SPEC §23.2. `vectors` are the i16 vectors as bytes, by UUID. */
export function chunkDigest(given: Given, vector: Uint8Array): Uint8Array {
  return hash("outside-chunk", idOf(given.uuid), textHash(utf8(textOf(given))), vector, sparseBytes(given));
}

export const documentText = (ordered: readonly Given[]): string => `${ordered.map(textOf).join("\n\n")}\n`;

export const documentValueOf = (digests: readonly Uint8Array[]): Uint8Array =>
  hash("outside-document", ...digests);

export const metadataValue = (ordered: readonly Given[]): Uint8Array =>
  hash(
    "outside-metadata",
    ...ordered.flatMap((given) => [utf8(canonicalJson(fieldsOf(given))), bm25Bytes(given)]),
  );

/** SPEC §23.1, 6 */
export function sharedMetadata(chunks: readonly Given[]): Record<string, unknown> {
  const all = chunks.map(fieldsOf);
  return Object.fromEntries(
    Object.entries(all[0] ?? {}).filter(
      ([name, value]) =>
        !OF_CHUNK.includes(name) &&
        all.every((each) => name in each && canonicalJson(each[name]) === canonicalJson(value)),
    ),
  );
}

/** SPEC §23.6 */
export function nearDuplicates(vectors: ReadonlyMap<string, Int16Array>, thousandths: number): string[] {
  const kept: Int16Array[] = [];
  const out: string[] = [];
  for (const uuid of [...vectors.keys()].sort()) {
    const vector = vectors.get(uuid)!;
    const dots = kept.map((other) =>
      other.reduce((sum, value, i) => sum + BigInt(value) * BigInt(vector[i]!), 0n),
    );
    if (dots.some((dot) => 1000n * dot > BigInt(thousandths) * 1073676289n)) out.push(uuid);
    else kept.push(vector);
  }
  return out;
}
