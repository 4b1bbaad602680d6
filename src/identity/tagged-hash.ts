import { writeU32 } from "../engine/byte-order.ts";
import { DIGEST_BYTES } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { utf8 } from "../text/canonical.ts";

/** The fields that an identity is made from, in order. Each is hashed with its length before it. */
export type Fields = readonly Uint8Array[];

/**
 * About this many bytes are copied into the engine at a time: many small inputs share one allocation, a large one has
 * its own.
 */
const BATCH_BYTES = 1 << 20;
const LENGTH_BYTES = 4;

/** Returns the tag's field, as bytes: `selfsame/` and the kind of thing that is hashed. */
export function tagField(kind: string): Uint8Array {
  return concatFields([utf8(`selfsame/${kind}`)]);
}

/** Returns each field with its length before it. SPEC §12.1 */
export function concatFields(fields: Fields): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(sizeOf(fields));
  writeFields(out, 0, fields);
  return out;
}

/** Returns the hash of one input. */
export function taggedHash(engine: Engine, tag: Uint8Array, fields: Fields): Uint8Array<ArrayBuffer> {
  return taggedHashes(engine, tag, [fields])[0]!;
}

/** Returns BLAKE3 of the tag's field and the other fields, for each input. SPEC §12.1 */
export function taggedHashes(
  engine: Engine,
  tag: Uint8Array,
  inputs: readonly Fields[],
): Uint8Array<ArrayBuffer>[] {
  const out: Uint8Array<ArrayBuffer>[] = [];
  for (let from = 0; from < inputs.length; ) {
    let to = from;
    let bytes = 0;
    do bytes += tag.length + sizeOf(inputs[to++]!);
    while (to < inputs.length && bytes < BATCH_BYTES);
    hashBatch(engine, tag, inputs, from, to, bytes, out);
    from = to;
  }
  return out;
}

function hashBatch(
  engine: Engine,
  tag: Uint8Array,
  inputs: readonly Fields[],
  from: number,
  to: number,
  bytes: number,
  out: Uint8Array<ArrayBuffer>[],
): void {
  const digests = engine.scope(() => {
    const output = engine.alloc((to - from) * DIGEST_BYTES);
    const input = engine.alloc(bytes);
    const view = engine.bytes(input, bytes);
    const ends: number[] = [];
    let at = 0;
    for (let i = from; i < to; i++) {
      view.set(tag, at);
      at = writeFields(view, at + tag.length, inputs[i]!);
      ends.push(at);
    }
    at = 0;
    for (const [i, end] of ends.entries()) {
      engine.exports.blake3(output + i * DIGEST_BYTES, input + at, end - at);
      at = end;
    }
    return engine.read(output, (to - from) * DIGEST_BYTES);
  });
  for (let at = 0; at < digests.length; at += DIGEST_BYTES) out.push(digests.slice(at, at + DIGEST_BYTES));
}

function sizeOf(fields: Fields): number {
  let size = 0;
  for (const field of fields) size += LENGTH_BYTES + field.length;
  return size;
}

function writeFields(out: Uint8Array, start: number, fields: Fields): number {
  let at = start;
  for (const field of fields) {
    at = writeU32(out, at, field.length);
    out.set(field, at);
    at += field.length;
  }
  return at;
}

/** Returns four bytes, little-endian. */
export function u32(value: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(4);
  writeU32(out, 0, value);
  return out;
}
