import { readFileSync } from "node:fs";
import { type Build, Engine } from "#dist/engine/engine.js";

const PAGE = 65536;
const MEMORY_SECTION = 5;
const HAS_MAXIMUM = 1;

const modules = new Map<string, WebAssembly.Module>();

/** A build whose memory cannot grow beyond `pages` pages. */
export function limitedEngine(build: Build, pages: number): Engine {
  const key = `${build} ${pages}`;
  const wasm = readFileSync(new URL(`../../build/engine.${build}.wasm`, import.meta.url));
  const module = modules.get(key) ?? new WebAssembly.Module(withMaximum(wasm, pages));
  modules.set(key, module);
  return new Engine(build, module);
}

/** How many pages an engine's memory has now. */
export function pagesOf(engine: Engine): number {
  return engine.exports.memory.buffer.byteLength / PAGE;
}

/** The module with this maximum in its memory section: one memory, flags, minimum, maximum. */
function withMaximum(wasm: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  let at = 8; // after the magic number and the version
  for (;;) {
    const start = at;
    const id = wasm[at++];
    const [length, body] = readLeb(wasm, at);
    at = body + length;
    if (id !== MEMORY_SECTION) continue;
    const [minimum] = readLeb(wasm, body + 2);
    const section = [1, HAS_MAXIMUM, ...leb(minimum), ...leb(pages)];
    const head = Uint8Array.of(MEMORY_SECTION, ...leb(section.length), ...section);
    return Uint8Array.from(Buffer.concat([wasm.subarray(0, start), head, wasm.subarray(at)]));
  }
}

function readLeb(bytes: Uint8Array, at: number): [value: number, end: number] {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++]!;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return [value, at];
  }
}

function leb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)];
}
