// Packs (SPEC §27), written in plain code. Deflate is a plain sequence of stored blocks: any form is valid.
import { createPrivateKey, createPublicKey, sign as signBytes } from "node:crypto";
import { canonicalJson, hash } from "./identity.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const u32 = (value: number): number[] => [
  value & 255,
  (value >>> 8) & 255,
  (value >>> 16) & 255,
  value >>> 24,
];
const field = (bytes: Uint8Array): number[] => [...u32(bytes.length), ...bytes];

export interface ReferenceText {
  readonly path: string;
  readonly format: string;
  readonly modifiedAt: number | null;
  readonly mime: string | null;
  readonly metadata: string | null;
  readonly text: string;
}

export interface ReferenceOutside {
  readonly path: string;
  readonly chunks: readonly {
    readonly id: Uint8Array;
    readonly text: string;
    readonly fields: string;
    readonly bm25: string | null;
    readonly sparse: readonly (readonly [term: string, weight: number])[];
  }[];
}

export type ReferenceDocument = ReferenceText | ReferenceOutside;

function time(value: number | null): Uint8Array {
  if (value === null) return new Uint8Array(0);
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return bytes;
}

/** SPEC §27.3 */
export function recordBytes(document: ReferenceDocument): Uint8Array {
  if ("chunks" in document)
    return Uint8Array.from([
      ...[1, ...u32(document.chunks.length), ...field(utf8(document.path))],
      ...document.chunks.flatMap(({ id, text, fields, bm25, sparse }) => [
        ...[...field(id), ...field(utf8(text)), ...field(utf8(fields)), ...field(utf8(bm25 ?? ""))],
        ...field(
          Uint8Array.from(
            sparse.flatMap(([term, weight]) => [
              ...field(utf8(term)),
              ...field(Uint8Array.from(u32(weight))),
            ]),
          ),
        ),
      ]),
    ]);
  const { path, format, modifiedAt, mime, metadata, text } = document;
  const fields = [
    utf8(path),
    utf8(format),
    time(modifiedAt),
    utf8(mime ?? ""),
    utf8(metadata ?? ""),
    utf8(text),
  ];
  return Uint8Array.from([0, ...fields.flatMap(field)]);
}

/** Deflate without compression: RFC 1951, 3.2.4. */
export function storedBlocks(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += 65535) {
    const part = bytes.subarray(at, at + 65535);
    const isLast = at + 65535 >= bytes.length;
    out.push(
      isLast ? 1 : 0,
      part.length & 255,
      part.length >> 8,
      ~part.length & 255,
      (~part.length >> 8) & 255,
    );
    for (const byte of part) out.push(byte);
  }
  return Uint8Array.from(out);
}

export interface ReferenceSection {
  readonly kind: number;
  readonly bytes: Uint8Array;
}

/** SPEC §27.2 */
export const sectionDigest = ({ kind, bytes }: ReferenceSection): Uint8Array =>
  hash("pack-section", Uint8Array.of(kind), bytes);

export function sectionBytes(section: ReferenceSection, deflate = storedBlocks): Uint8Array {
  const { kind, bytes } = section;
  const stored = kind === 2 ? deflate(bytes) : bytes;
  const frame = [kind, kind === 2 ? 1 : 0, 0, 0, ...u32(bytes.length), ...u32(stored.length)];
  return Buffer.concat([Uint8Array.from(frame), sectionDigest(section), stored]);
}

/** The digest of a pack of these sections. */
export function packDigest(sections: readonly ReferenceSection[]): Uint8Array {
  let digest: Uint8Array = new Uint8Array(0);
  for (const section of sections) digest = hash("pack", digest, sectionDigest(section));
  return digest;
}

export const headerSection = (header: unknown): ReferenceSection => ({
  kind: 1,
  bytes: utf8(canonicalJson(header)),
});

/** SPEC §27.4. Entries are sorted here. */
export function vectorSections(
  entries: readonly { readonly key: Uint8Array; readonly vector: Uint8Array }[],
) {
  const sorted = [...entries].sort((a, b) => Buffer.compare(a.key, b.key));
  const sections: ReferenceSection[] = [];
  for (let from = 0; from < sorted.length; from += 1024)
    sections.push({
      kind: 3,
      bytes: Buffer.concat(sorted.slice(from, from + 1024).flatMap(({ key, vector }) => [key, vector])),
    });
  return sections;
}

/** Documents, by id, in sections: each ends with the record that brings it to 2²⁰ bytes. */
export function documentSections<T extends ReferenceDocument>(documents: readonly T[]) {
  const sections: { section: ReferenceSection; documents: T[] }[] = [];
  let held: { bytes: Uint8Array[]; documents: T[] } = { bytes: [], documents: [] };
  for (const [i, document] of documents.entries()) {
    held.bytes.push(recordBytes(document));
    held.documents.push(document);
    const size = held.bytes.reduce((sum, bytes) => sum + bytes.length, 0);
    if (size < 1 << 20 && i + 1 < documents.length) continue;
    sections.push({ section: { kind: 2, bytes: Buffer.concat(held.bytes) }, documents: held.documents });
    held = { bytes: [], documents: [] };
  }
  return sections;
}

/** A whole pack. @param seed signs it, if given */
export function packBytes(
  sections: readonly ReferenceSection[],
  seed: Uint8Array | null = null,
  deflate = storedBlocks,
): Uint8Array {
  const digest = packDigest(sections);
  const last: ReferenceSection[] = [{ kind: 4, bytes: digest }];
  if (seed !== null) last.push({ kind: 5, bytes: signature(digest, seed) });
  const all = [...sections, ...last].map((section) => sectionBytes(section, deflate));
  return Buffer.concat([utf8("SSPACK1\n"), ...all]);
}

/** SPEC §27.6, with the host's Ed25519. */
export function signature(digest: Uint8Array, seed: Uint8Array): Uint8Array {
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32);
  const tag = utf8("selfsame/pack-signature");
  const message = Buffer.concat([Uint8Array.from(u32(tag.length)), tag, digest]);
  return Buffer.concat([publicKey, signBytes(null, message, key)]);
}
