/** Canonical bytes, their digest, and snapshots. assembly/vectors/load.ts checks the rules. SPEC §10.6, §10.8 */
import { DIGEST_BYTES, ID_BYTES, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import {
  BAD_ADJACENCY,
  BAD_IDS,
  BAD_LENGTH,
  BAD_LIST,
  BAD_OUT,
  MISSING_LINK,
  NO_MEMORY,
  NOT_ADMITTED,
  NOT_ASCENDING,
  WRONG_DIGEST,
} from "../engine/exports.generated.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { DIM_MAX, outOfMemory } from "./vector.ts";

const MAGIC = "SELFHNSW";
const PARAMETERS = [96, 20, 32, 8];
const HEADER_BYTES = 32;
const RUN = 1024; // nodes in one piece, and slots in one block
const CACHE_BYTES = 528; // per node
const COUNT_MAX = 4096 * RUN;

/** Why the engine refuses saved bytes. */
const REFUSALS: Readonly<Record<number, string>> = {
  [WRONG_DIGEST]: "a digest that is not its vector's",
  [NOT_ADMITTED]: "a vector that is not admitted",
  [NOT_ASCENDING]: "nodes out of order",
  [BAD_IDS]: "ids that repeat or are out of order",
  [BAD_ADJACENCY]: "adjacency out of bounds or out of order",
  [BAD_LENGTH]: "another length",
  [BAD_LIST]: "a list that is too short, repeats a node or holds no predecessor",
  [BAD_OUT]: "an Out set of the wrong size",
  [MISSING_LINK]: "a node without its link",
};

export interface SnapshotHeader {
  readonly dim: number;
  readonly graph: boolean;
  readonly nodes: number;
  readonly ids: number;
  /** Length of the canonical bytes. */
  readonly canonical: number;
}

/** Returns BLAKE3 of the canonical bytes. SPEC §10.6 */
export function canonicalDigest(engine: Engine): Uint8Array<ArrayBuffer> {
  return engine.scope(() => {
    const { at, length } = makeCanonical(engine);
    return digestAt(engine, at, length);
  });
}

/** Writes the canonical bytes to engine memory, within the caller's scope. Ranks stay valid until that scope ends. */
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
    engine.exports.blake3(out, at, length);
    return engine.read(out, DIGEST_BYTES);
  });
}

/** Returns all ids, 16 bytes each, as in the canonical bytes: after the digests and the counts. SPEC §10.6 */
export function canonicalIds(engine: Engine): Uint8Array<ArrayBuffer> {
  const { vectors_nodes, vectors_ids } = engine.exports;
  return engine.scope(() => {
    const { at } = makeCanonical(engine);
    return engine.read(at + HEADER_BYTES + vectors_nodes!() * 36, vectors_ids!() * ID_BYTES);
  });
}

/** Returns the digests of all nodes, 32 bytes each, in priority order. SPEC §10.3 */
export function nodeDigests(engine: Engine): Uint8Array<ArrayBuffer> {
  const { ranks_make, save_digests, vectors_nodes } = engine.exports;
  return engine.scope(() => {
    if (ranks_make() === 0) throw outOfMemory();
    const length = vectors_nodes() * DIGEST_BYTES;
    const at = engine.alloc(length);
    save_digests(at);
    return engine.read(at, length);
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

/** The bytes of a snapshot, wherever they are. */
export interface SnapshotSource {
  readonly length: number;
  /** Returns at least one and at most `length` bytes from `from` on; a view that is valid until the next call. */
  read(from: number, length: number): Uint8Array;
}

/** Returns a snapshot in memory as a source. It refers to the bytes and notices if they are gone. */
export function sourceOf(bytes: Uint8Array): SnapshotSource {
  if (!(bytes instanceof Uint8Array)) throw refusal("at least 64 bytes in a Uint8Array", typeof bytes);
  return {
    length: bytes.length,
    read(from, length) {
      // A buffer that was transferred to a thread, for instance, is detached and empty.
      if (bytes.length < from + length)
        throw refusal("the bytes to stay until the first change", "fewer of them than before");
      return bytes.subarray(from, from + length);
    },
  };
}

/** Parses the header and checks it against the total length. */
export function snapshotHeader(source: SnapshotSource): SnapshotHeader {
  if (source.length < HEADER_BYTES + DIGEST_BYTES)
    throw refusal("at least 64 bytes in a Uint8Array", `${source.length}`);
  const bytes = source.read(0, HEADER_BYTES);
  if (bytes.length < HEADER_BYTES) throw refusal("a whole header", `${bytes.length} bytes of it`);
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
  const canonical = source.length - snapshotLength(0, dim, nodes, graph);
  if (canonical < HEADER_BYTES + nodes * 36 + ids * 16) {
    throw refusal(`more than ${source.length} bytes for ${nodes} vectors`, "fewer");
  }
  return { dim, graph, nodes, ids, canonical };
}

/** Returns how many of the first bytes searches need; the rest is for changes. */
export function searchBytes({ canonical, nodes, dim }: SnapshotHeader): number {
  return canonical + DIGEST_BYTES + nodes * dim * 2;
}

/**
 * Loads a snapshot into an engine that holds no index, ready for searching. The cache is needed only for updates: it is
 * returned, to be loaded when first needed. That halves the load time. SPEC §10.8
 */
export function readSnapshot(
  engine: Engine,
  bytes: SnapshotSource,
  header: SnapshotHeader,
): SnapshotCache | null {
  const { dim, graph, nodes, ids, canonical } = header;
  check(engine.exports.vectors_init(dim, 0));
  check(engine.exports.load_begin(nodes, ids, graph ? 1 : 0));
  const vectorsAt = canonical + DIGEST_BYTES;
  for (const [first, count] of runs(nodes)) {
    copyIn(engine, engine.exports.vector_of(first), bytes, vectorsAt + first * dim * 2, count * dim * 2);
    copyIn(engine, engine.exports.label_of(first), bytes, HEADER_BYTES + first * 32, count * 32);
    check(engine.exports.load_nodes(count));
  }
  if (graph) check(engine.exports.load_graph_begin());
  engine.scope(() => {
    const at = engine.alloc(canonical);
    copyIn(engine, at, bytes, 0, canonical);
    compareDigest(engine, at, canonical, copied(bytes, canonical, DIGEST_BYTES), "the canonical bytes");
    check(engine.exports.load_canonical(at, canonical, graph ? 1 : 0));
  });
  if (!graph) return null;
  engine.exports.load_graph_end();
  return new SnapshotCache(bytes, searchBytes(header), nodes);
}

/** The part of a snapshot that updates need. It refers to the snapshot's bytes. */
export class SnapshotCache {
  readonly #bytes: SnapshotSource;
  readonly #at: number;
  readonly #nodes: number;
  /** What the runs had when they were checked, to notice bytes that change later. */
  readonly #digests: string[] = [];

  constructor(bytes: SnapshotSource, at: number, nodes: number) {
    this.#bytes = bytes;
    this.#at = at;
    this.#nodes = nodes;
  }

  /** Checks all digests. */
  check(engine: Engine): void {
    engine.scope(() => this.#pieces(engine, () => undefined));
  }

  /** Loads the lists and checks every rule of SPEC §10.8 in them. */
  restore(engine: Engine): void {
    check(engine.exports.load_lists_reserve());
    engine.scope(() => {
      check(engine.exports.load_lists_begin());
      this.#pieces(engine, (at, first, count) => check(engine.exports.load_lists(at, first, count)));
    });
    check(engine.exports.load_lists_end());
  }

  #pieces(engine: Engine, take: (at: number, first: number, count: number) => void): void {
    const piece = engine.alloc(RUN * CACHE_BYTES);
    for (const [first, count] of runs(this.#nodes)) {
      const from = this.#at + cacheAt(first);
      const length = count * CACHE_BYTES;
      copyIn(engine, piece, this.#bytes, from, length);
      const digest = copied(this.#bytes, from + length, DIGEST_BYTES);
      this.#digests[first / RUN] ??= toHex(digest);
      if (this.#digests[first / RUN] !== toHex(digest))
        throw refusal("the bytes to stay until the first change", "others");
      compareDigest(engine, piece, length, digest, `the lists from node ${first} on`);
      take(piece, first, count);
    }
  }
}

/** Returns the position in the cache of the run that starts with this node. */
function cacheAt(first: number): number {
  return first * CACHE_BYTES + (first / RUN) * DIGEST_BYTES;
}

function* runs(nodes: number): Generator<[first: number, count: number]> {
  for (let first = 0; first < nodes; first += RUN) yield [first, Math.min(RUN, nodes - first)];
}

function snapshotLength(canonical: number, dim: number, nodes: number, graph: boolean): number {
  const cache = graph ? nodes * CACHE_BYTES + Math.ceil(nodes / RUN) * DIGEST_BYTES : 0;
  return canonical + DIGEST_BYTES + nodes * dim * 2 + cache;
}

function copyIn(engine: Engine, to: number, bytes: SnapshotSource, from: number, length: number): void {
  copyParts(bytes, from, length, (part, at) => engine.bytes(to + at, part.length).set(part));
}

function copied(bytes: SnapshotSource, from: number, length: number): Uint8Array {
  const out = new Uint8Array(length);
  copyParts(bytes, from, length, (part, at) => out.set(part, at));
  return out;
}

function copyParts(
  bytes: SnapshotSource,
  from: number,
  length: number,
  take: (part: Uint8Array, at: number) => void,
): void {
  for (let at = 0; at < length; ) {
    const part = bytes.read(from + at, length - at);
    if (part.length === 0) throw refusal(`${length} bytes at ${from}`, `${at}`);
    take(part, at);
    at += part.length;
  }
}

function compareDigest(engine: Engine, at: number, length: number, expected: Uint8Array, what: string): void {
  const got = toHex(digestAt(engine, at, length));
  if (got !== toHex(expected)) throw refusal(`${what} to have the digest ${toHex(expected)}`, got);
}

function check(code: number): void {
  if (code === 0) return;
  if (code === NO_MEMORY) throw outOfMemory();
  throw refusal("a saved index", REFUSALS[code] ?? `the code ${code}`);
}

function refusal(expected: string, got: string): SelfsameError {
  return new SelfsameError(
    "BAD_INDEX_BYTES",
    `expected ${expected}, got ${got}`,
    "The bytes are cut off, edited or of another version: build the index again from its vectors",
  );
}
