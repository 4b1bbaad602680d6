/** A file in blocks does what a plain array does; the blocks that it calls changed make a copy of it. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { BLOCK_BYTES, BlockFile } from "#dist/store/block-file.js";

const RUNS = import.meta.env.MODE === "long" ? 1000 : 100;
const END = 3 * BLOCK_BYTES;

const at = fc.oneof(fc.integer({ min: 0, max: END }), fc.constantFrom(0, BLOCK_BYTES - 1, BLOCK_BYTES, END));
const step = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), at, size: fc.integer({ min: 1, max: 2 * BLOCK_BYTES }) }),
  fc.record({ kind: fc.constant("truncate" as const), at, size: fc.constant(0) }),
  fc.record({ kind: fc.constant("keep" as const), at: fc.constant(0), size: fc.constant(0) }),
);

it("is a plain array, and its copy is one", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const file = new BlockFile();
      const copy = new BlockFile();
      let model = new Uint8Array(0);
      const keep = () => {
        for (const [index, block] of file.takeChanged()) copy.load(index, block.slice());
        copy.loaded(file.getSize());
        expect(file.hasChanged).toBe(false);
      };
      for (const [i, { kind, at: from, size }] of steps.entries()) {
        if (kind === "keep") keep();
        else if (kind === "truncate") {
          file.truncate(from);
          model = resized(model, from);
        } else {
          const bytes = new Uint8Array(size).fill(i + 1);
          expect(file.write(bytes, { at: from })).toBe(size);
          model = resized(model, Math.max(model.length, from + size));
          model.set(bytes, from);
        }
        expect(Buffer.compare(contents(file, model.length + 10), model)).toBe(0);
      }
      keep();
      expect(Buffer.compare(contents(copy, model.length + 10), model)).toBe(0);
    }),
    { numRuns: RUNS },
  );
});

it("reads nothing beyond its end", () => {
  const file = new BlockFile();
  file.write(new Uint8Array([1, 2, 3]), { at: 0 });
  const buffer = new Uint8Array(4).fill(9);
  expect(file.read(buffer, { at: 3 })).toBe(0);
  expect(file.read(buffer, { at: BLOCK_BYTES * 5 })).toBe(0);
  expect(file.read(buffer, { at: 1 })).toBe(2);
  expect([...buffer]).toEqual([2, 3, 9, 9]);
});

function resized(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(size);
  out.set(bytes.subarray(0, size));
  return out;
}

function contents(file: BlockFile, room: number): Uint8Array {
  const buffer = new Uint8Array(room);
  return buffer.subarray(0, file.read(buffer, { at: 0 }));
}
