/**
 * The frame of a pack's section. SPEC §27.2
 *
 *     ┌ 1    kind
 *     │ 1    codec: 0 stored, 1 deflate
 *     │ 2    0
 *     │ 4    size: bytes of the contents, little-endian
 *     │ 4    stored: bytes that follow, little-endian
 *     │ 32   digest of the contents
 *     └ …    the contents, as the codec stores them
 */
import { deflateSync, Inflate } from "fflate";
import { writeU32 } from "../engine/byte-order.ts";
import { DIGEST_BYTES, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { tagField, taggedHash } from "../identity/tagged-hash.ts";
import { type ByteReader, concat } from "./byte-reader.ts";
import { packDamaged } from "./damage.ts";

/** What a section holds. */
export const KIND = { header: 1, documents: 2, vectors: 3, end: 4, signature: 5 } as const;
export type SectionKind = keyof typeof KIND;

export interface Section {
  readonly kind: SectionKind;
  readonly bytes: Uint8Array;
  readonly digest: Uint8Array;
}

/** The most bytes of each kind's contents. A document's text has at most 2²⁸. */
const SIZE_MAX: Readonly<Record<SectionKind, number>> = {
  header: 1 << 20,
  documents: (1 << 28) + (1 << 24),
  vectors: 1 << 28,
  end: DIGEST_BYTES,
  signature: 96,
};
/** Only documents are compressed: the components of a vector look random to deflate. */
const CODEC: Readonly<Record<SectionKind, 0 | 1>> = {
  header: 0,
  documents: 1,
  vectors: 0,
  end: 0,
  signature: 0,
};
const FRAME_BYTES = 12 + DIGEST_BYTES;
/** The level is part of what makes two devices write equal bytes. */
const LEVEL = 6;
/** Deflate makes at most 1,032 bytes of one, and stores what it cannot compress in blocks with 5 bytes before each. */
const RATIO_MAX = 1032;
const BLOCK_MIN = 1 << 13;
/** What is inflated at a time. */
const STEP_BYTES = 1 << 14;

const SECTION = tagField("pack-section");

/** Returns a section, ready to be written. */
export function encodeSection(
  engine: Engine,
  kind: SectionKind,
  bytes: Uint8Array,
): { readonly stored: Uint8Array; readonly digest: Uint8Array } {
  if (bytes.length > SIZE_MAX[kind])
    throw new SelfsameError(
      "FILE_TOO_LARGE",
      `expected at most ${SIZE_MAX[kind]} bytes for ${kind} of a pack, got ${bytes.length}`,
      "Split the document",
    );
  const contents = CODEC[kind] === 1 ? deflateSync(bytes, { level: LEVEL }) : bytes;
  const digest = sectionDigest(engine, kind, bytes);
  const stored = new Uint8Array(FRAME_BYTES + contents.length);
  stored[0] = KIND[kind];
  stored[1] = CODEC[kind];
  writeU32(stored, writeU32(stored, 4, bytes.length), contents.length);
  stored.set(digest, 12);
  stored.set(contents, FRAME_BYTES);
  return { stored, digest };
}

/** Reads the next section and checks its digest. @throws {SelfsameError} PACK_DAMAGED */
export async function readSection(engine: Engine, reader: ByteReader): Promise<Section> {
  const start = reader.position;
  const frame = await reader.read(FRAME_BYTES);
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const kind = (Object.keys(KIND) as SectionKind[]).find((name) => KIND[name] === frame[0]);
  if (kind === undefined) throw packDamaged(`a section at ${start}`, `the kind ${frame[0]}`);
  const [codec, zero, size, stored] = [
    frame[1]!,
    view.getUint16(2),
    view.getUint32(4, true),
    view.getUint32(8, true),
  ];
  if (codec !== CODEC[kind] || zero !== 0)
    throw packDamaged(`the codec ${CODEC[kind]} of ${kind} at ${start}`, `${codec} and ${zero}`);
  if (size > SIZE_MAX[kind]) throw packDamaged(`at most ${SIZE_MAX[kind]} bytes of ${kind}`, `${size}`);
  const [least, most] =
    codec === 0
      ? [size, size]
      : [Math.floor(size / RATIO_MAX), size + 5 * (Math.floor(size / BLOCK_MIN) + 2)];
  if (stored < least || stored > most)
    throw packDamaged(`${least} to ${most} bytes for ${kind} of ${size} at ${start}`, `${stored}`);
  const contents = await reader.read(stored);
  const bytes = codec === 0 ? contents : inflate(contents, size);
  const digest = sectionDigest(engine, kind, bytes);
  if (toHex(digest) !== toHex(frame.subarray(12)))
    throw packDamaged(`${kind} at ${start} with the digest ${toHex(frame.subarray(12))}`, toHex(digest));
  return { kind, bytes, digest };
}

function sectionDigest(engine: Engine, kind: SectionKind, bytes: Uint8Array): Uint8Array {
  return taggedHash(engine, SECTION, [Uint8Array.of(KIND[kind]), bytes]);
}

/** Inflates at most `size` bytes: what gives more is refused before it is held. */
function inflate(contents: Uint8Array, size: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let total = 0;
  const inflater = new Inflate((part) => {
    total += part.length;
    if (total > size) throw packDamaged(`${size} bytes of documents`, "more");
    // fflate may give a view of a buffer that it goes on using.
    parts.push(part.slice());
  });
  try {
    for (let at = 0; at < contents.length || at === 0; at += STEP_BYTES)
      inflater.push(contents.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= contents.length);
  } catch (error) {
    if (error instanceof SelfsameError) throw error;
    throw packDamaged("deflated documents", error instanceof Error ? error.message : String(error));
  }
  if (total !== size) throw packDamaged(`${size} bytes of documents`, `${total}`);
  return concat(parts, total);
}
