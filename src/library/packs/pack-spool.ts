import { badArgument } from "../../errors/arguments.ts";
import { concat } from "../../packs/byte-reader.ts";
import type { PackSource } from "../../packs/pack-options.ts";
import type { Database } from "../../store/database.ts";
import { dropSpooled, putSpooled, spooledPiece } from "../../store/packs.ts";

/** A pack that can be read again and again. */
export interface OpenPack {
  /** Returns its bytes from the start. */
  read(): AsyncIterable<Uint8Array>;
  /** Drops what was kept of it. */
  drop(): void;
}

/** Up to this many bytes of a stream are kept in memory; more are put into the library's file. */
const MEMORY_BYTES = 32 << 20;
const PIECE_BYTES = 1 << 20;
const PIECES_AT_ONCE = 8;
/** What an import left behind that was cut off is dropped by a later one, a day later. */
const LEFT_MS = 86_400_000;
const SPOOLS_PER_MS = 1000;

/** Makes a pack readable twice. SPEC §27.5 */
export async function openPack(database: Database, source: PackSource): Promise<OpenPack> {
  const nothing = () => undefined;
  if (source instanceof Uint8Array) return { read: () => once(source), drop: nothing };
  if (typeof Blob !== "undefined" && source instanceof Blob)
    return { read: () => whileIdle(database, piecesOf(source.stream())), drop: nothing };
  if (typeof source === "function") return { read: () => whileIdle(database, opened(source)), drop: nothing };
  const stream = source as Exclude<typeof source, Blob>;
  if (typeof stream === "object" && stream !== null)
    if (Symbol.asyncIterator in stream || "getReader" in stream)
      return kept(database, whileIdle(database, piecesOf(stream)));
  throw badArgument("source", "the bytes of a pack, a Blob, a stream, or a function that opens one", source);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

async function* opened(open: Extract<PackSource, () => unknown>): AsyncGenerator<Uint8Array, void> {
  yield* piecesOf(await open());
}

/** Streams of older browsers are no async iterables. */
async function* piecesOf(
  stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  if (Symbol.asyncIterator in stream) {
    yield* stream as AsyncIterable<Uint8Array>;
    return;
  }
  const reader = (stream as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** While a piece is awaited, other connections may use the library's files. */
async function* whileIdle(
  database: Database,
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const pieces = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await database.idle(() => pieces.next());
      if (done === true) return;
      yield value;
    }
  } finally {
    await pieces.return?.();
  }
}

async function kept(database: Database, stream: AsyncIterable<Uint8Array>): Promise<OpenPack> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  let spool: Spool | null = null;
  try {
    for await (const piece of stream) {
      if (!(piece instanceof Uint8Array)) throw badArgument("source", "a stream of bytes", piece);
      bytes += piece.length;
      if (bytes > MEMORY_BYTES && spool === null) {
        spool = new Spool(database);
        for (const before of held.splice(0)) spool.add(before);
      }
      if (spool === null) held.push(piece.slice());
      else spool.add(piece);
    }
    spool?.finish();
  } catch (error) {
    spool?.drop();
    throw error;
  }
  if (spool !== null) return spool;
  async function* again() {
    yield* held;
  }
  return { read: again, drop: () => undefined };
}

/** The bytes of a pack in the library's file. */
class Spool implements OpenPack {
  readonly #database: Database;
  /** The time, with room for several imports in one millisecond. */
  readonly #spool = Date.now() * SPOOLS_PER_MS + Math.floor(SPOOLS_PER_MS * randomShare());
  #held: Uint8Array[] = [];
  #bytes = 0;
  #pieces = 0;

  constructor(database: Database) {
    this.#database = database;
    const old = (Date.now() - LEFT_MS) * SPOOLS_PER_MS;
    database.transaction(() => dropSpooled(database, this.#spool, old));
  }

  add(piece: Uint8Array): void {
    this.#held.push(piece.slice());
    this.#bytes += piece.length;
    if (this.#bytes >= PIECE_BYTES * PIECES_AT_ONCE) this.finish();
  }

  finish(): void {
    const bytes = concat(this.#held, this.#bytes);
    this.#database.transaction(() => {
      for (let at = 0; at < bytes.length; at += PIECE_BYTES)
        putSpooled(this.#database, this.#spool, this.#pieces++, bytes.subarray(at, at + PIECE_BYTES));
    });
    [this.#held, this.#bytes] = [[], 0];
  }

  async *read(): AsyncGenerator<Uint8Array, void> {
    for (let piece = 0; piece < this.#pieces; piece++) {
      const bytes = spooledPiece(this.#database, this.#spool, piece);
      // Nothing but a damaged file or another program takes a piece away: the digests tell.
      if (bytes !== null) yield bytes;
    }
  }

  drop(): void {
    this.#database.transaction(() => dropSpooled(this.#database, this.#spool));
  }
}

function randomShare(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32;
}
