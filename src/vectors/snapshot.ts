/** Canonical bytes, their digest, and snapshots. The rules are checked in assembly/vectors/load.ts. SPEC §10.6, §10.8 */
import { toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors.ts";
import { DIM_MAX, ID_BYTES } from "./vector.ts";

const MAGIC = "SELFHNSW";
const PARAMETERS = [96, 20, 32, 8];
const HEADER_BYTES = 32;
const DIGEST_BYTES = 32;
const RUN = 1024; // nodes in one piece, and slots in one block
const CACHE_BYTES = 528; // of one node
const COUNT_MAX = 4096 * RUN;

/** Return codes of assembly/vectors/load.ts, from −2 on. */
const REFUSALS = [
  "a digest that is not its vector's",
  "a vector that is not admitted",
  "nodes out of order",
  "ids that repeat or are out of order",
  "adjacency out of bounds or out of order",
  "another length",
  "a list that is too short, repeats a node or holds no predecessor",
  "an Out set of the wrong size",
  "a node without its link",
];

export interface SnapshotHeader {
  readonly dim: number;
  readonly graph: boolean;
  readonly nodes: number;
  readonly ids: number;
  /** Length of the canonical bytes. */
  readonly canonical: number;
}

/** BLAKE3 of the canonical bytes. SPEC §10.6 */
export function canonicalDigest(engine: Engine): Uint8Array<ArrayBuffer> {
  return engine.scope(() => {
    const { at, length } = makeCanonical(engine);
    return digestAt(engine, at, length);
  });
}

/** Canonical bytes in engine memory, within the caller's scope; ranks stay made until it ends. */
function makeCanonical(engine: Engine): { at: number; length: number } {
  const { ranks_make, canonical_bytes, save_canonical } = engine.exports;
  if (ranks_make!() === 0) throw outOfMemory();
  const length = canonical_bytes!() >>> 0;
  const at = engine.alloc(length);
  if (save_canonical!(at) === 0) throw outOfMemory();
  return { at, length };
}

function digestAt(engine: Engine, at: number, length: number): Uint8Array<ArrayBuffer> {
  return engine.scope(() => {
    const out = engine.alloc(DIGEST_BYTES);
    engine.exports["blake3"]!(out, at, length);
    return engine.read(out, DIGEST_BYTES);
  });
}

/** All ids, 16 bytes each, as the canonical bytes have them: behind the digests and the counts. SPEC §10.6 */
export function canonicalIds(engine: Engine): Uint8Array<ArrayBuffer> {
  const { vectors_nodes, vectors_ids } = engine.exports;
  return engine.scope(() => {
    const { at } = makeCanonical(engine);
    return engine.read(at + HEADER_BYTES + vectors_nodes!() * 36, vectors_ids!() * ID_BYTES);
  });
}

/** SPEC §10.8 */
export function writeSnapshot(engine: Engine, dim: number, graph: boolean): Uint8Array<ArrayBuffer> {
  const { save_vectors, save_lists, vectors_nodes } = engine.exports;
  return engine.scope(() => {
    const nodes = vectors_nodes!();
    const canonical = makeCanonical(engine);
    const bytes = new Uint8Array(snapshotLength(canonical.length, dim, nodes, graph));
    bytes.set(engine.bytes(canonical.at, canonical.length));
    let at = canonical.length;
    const append = (part: Uint8Array) => {
      bytes.set(part, at);
      at += part.length;
    };
    append(digestAt(engine, canonical.at, canonical.length));
    const piece = engine.alloc(RUN * Math.max(dim * 2, CACHE_BYTES));
    for (const [first, count] of runs(nodes)) {
      save_vectors!(piece, first, count);
      append(engine.bytes(piece, count * dim * 2));
    }
    if (!graph) return bytes;
    for (const [first, count] of runs(nodes)) {
      save_lists!(piece, first, count);
      append(engine.bytes(piece, count * CACHE_BYTES));
      append(digestAt(engine, piece, count * CACHE_BYTES));
    }
    return bytes;
  });
}

/** What the first bytes say, checked against the length of all. */
export function snapshotHeader(bytes: Uint8Array): SnapshotHeader {
  if (!(bytes instanceof Uint8Array) || bytes.length < HEADER_BYTES + DIGEST_BYTES) {
    throw refusal(
      "at least 64 bytes in a Uint8Array",
      bytes instanceof Uint8Array ? `${bytes.length}` : typeof bytes,
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const magic = String.fromCharCode(...bytes.subarray(0, MAGIC.length));
  if (magic !== MAGIC) throw refusal(`the bytes of a saved index to begin with ${MAGIC}`, "other bytes");
  const form = view.getUint32(8, true);
  const dim = view.getUint32(12, true);
  const nodes = view.getUint32(16, true);
  const ids = view.getUint32(20, true);
  const parameters = PARAMETERS.map((_, i) => view.getUint16(24 + i * 2, true));
  if (form > 1) throw refusal("form 0 or 1", `${form}`);
  if (dim < 8 || dim > DIM_MAX || dim % 8 !== 0)
    throw refusal("a multiple of 8 up to 4096 as dimension", `${dim}`);
  if (parameters.join() !== PARAMETERS.join()) throw refusal(`parameters ${PARAMETERS}`, `${parameters}`);
  if (nodes > COUNT_MAX || ids > COUNT_MAX || ids < nodes) {
    throw refusal(`at most ${COUNT_MAX} ids, no fewer than nodes`, `${ids} ids of ${nodes} nodes`);
  }
  const graph = form === 1;
  const canonical = bytes.length - snapshotLength(0, dim, nodes, graph);
  if (canonical < HEADER_BYTES + nodes * 36 + ids * 16) {
    throw refusal(`more than ${bytes.length} bytes for ${nodes} vectors`, "fewer");
  }
  return { dim, graph, nodes, ids, canonical };
}

/** Loads the snapshot into an engine that holds no index. SPEC §10.8 */
export function readSnapshot(engine: Engine, bytes: Uint8Array, header: SnapshotHeader): void {
  const { dim, graph, nodes, ids, canonical } = header;
  const call = (name: string, ...args: number[]) => check(engine.exports[name]!(...args));
  call("vectors_init", dim, 0);
  call("load_begin", nodes, ids);
  const vectorsAt = canonical + DIGEST_BYTES;
  for (const [first, count] of runs(nodes)) {
    copyIn(engine, engine.exports["vector_of"]!(first), bytes, vectorsAt + first * dim * 2, count * dim * 2);
    copyIn(engine, engine.exports["label_of"]!(first), bytes, HEADER_BYTES + first * 32, count * 32);
    call("load_nodes", count);
  }
  if (graph) call("load_graph_begin");
  engine.scope(() => {
    const at = engine.alloc(canonical);
    copyIn(engine, at, bytes, 0, canonical);
    compareDigest(engine, at, bytes, canonical, "the canonical bytes");
    call("load_canonical", at, canonical, graph ? 1 : 0);
  });
  if (!graph) return;
  engine.scope(() => {
    call("load_lists_begin");
    const piece = engine.alloc(RUN * CACHE_BYTES);
    let at = vectorsAt + nodes * dim * 2;
    for (const [first, count] of runs(nodes)) {
      const length = count * CACHE_BYTES;
      copyIn(engine, piece, bytes, at, length);
      compareDigest(engine, piece, bytes, length, `the lists from node ${first} on`, at + length);
      call("load_lists", piece, first, count);
      at += length + DIGEST_BYTES;
    }
  });
  call("load_graph_end");
}

function* runs(nodes: number): Generator<[first: number, count: number]> {
  for (let first = 0; first < nodes; first += RUN) yield [first, Math.min(RUN, nodes - first)];
}

function snapshotLength(canonical: number, dim: number, nodes: number, graph: boolean): number {
  const cache = graph ? nodes * CACHE_BYTES + Math.ceil(nodes / RUN) * DIGEST_BYTES : 0;
  return canonical + DIGEST_BYTES + nodes * dim * 2 + cache;
}

function copyIn(engine: Engine, to: number, bytes: Uint8Array, from: number, length: number): void {
  engine.bytes(to, length).set(bytes.subarray(from, from + length));
}

/** Compares BLAKE3 of `length` bytes in the engine with the digest in `bytes` at `digestFrom`. */
function compareDigest(
  engine: Engine,
  at: number,
  bytes: Uint8Array,
  length: number,
  what: string,
  digestFrom = length,
): void {
  const expected = toHex(bytes.subarray(digestFrom, digestFrom + DIGEST_BYTES));
  const got = toHex(digestAt(engine, at, length));
  if (got !== expected) throw refusal(`${what} to have the digest ${expected}`, got);
}

function check(code: number): void {
  if (code === 0) return;
  if (code === -1) throw outOfMemory();
  throw refusal("a saved index", REFUSALS[-2 - code]!);
}

function refusal(expected: string, got: string): SelfsameError {
  return new SelfsameError(
    "BAD_INDEX_BYTES",
    `expected ${expected}, got ${got}`,
    "The bytes are cut off, edited or of another version: build the index again from its vectors",
  );
}

function outOfMemory(): SelfsameError {
  return new SelfsameError(
    "OUT_OF_MEMORY",
    "expected room in the engine's memory, got none",
    "Close other libraries, or split the set over several indexes",
  );
}
