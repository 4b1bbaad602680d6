/** Reads the documents of a body one by one, while it arrives. Memory holds one document, whatever the size of the body. */
import { RefusedRequest } from "../http/index.ts";

/** A document as it was sent: its JSON, or why it is none. */
export type Row = { readonly value: unknown } | { readonly fault: string };

/** Returns whether a row is a chunk that was made elsewhere. Documents have paths, chunks have UUIDs. */
export function isChunk(row: Row): boolean {
  return "value" in row && typeof row.value === "object" && row.value !== null && "uuid" in row.value;
}

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
const LIST = 0x5b;
const LIST_END = 0x5d;
const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** One JSON value per line. A line that is not JSON is a fault of its own; empty lines are skipped. */
export async function* lineRows(pieces: AsyncIterable<Uint8Array>, rowMax: number): AsyncGenerator<Row> {
  const line = new Held(rowMax);
  for await (const piece of pieces) {
    let from = 0;
    for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, from)) {
      line.add(piece.subarray(from, at));
      from = at + 1;
      const row = line.take();
      if (row !== null) yield row;
    }
    line.add(piece.subarray(from));
  }
  const row = line.take();
  if (row !== null) yield row;
}

/** The members of one JSON list, or one JSON value. @throws {RefusedRequest} 400 for anything else */
export async function* listRows(pieces: AsyncIterable<Uint8Array>, rowMax: number): AsyncGenerator<Row> {
  const held = new Held(rowMax);
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let state: "start" | "in list" | "in value" | "end" = "start";
  let hasMember = false;
  for await (const piece of pieces) {
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
        continue;
      }
      if (state === "end") {
        if (SPACE.has(byte)) continue;
        throw notJson("nothing after the end of the list");
      }
      if (state === "start") {
        from = at;
        if (SPACE.has(byte)) continue;
        state = byte === LIST ? "in list" : "in value";
        if (byte === LIST) {
          from = at + 1;
          continue;
        }
      }
      if (byte === QUOTE) isInString = true;
      else if (OPENING.has(byte)) depth++;
      else if (depth > 0) {
        if (CLOSING.has(byte)) depth--;
      } else if (state === "in list" && (byte === COMMA || byte === LIST_END)) {
        held.add(piece.subarray(from, at));
        from = at + 1;
        const row = held.take();
        if (row !== null) {
          if ("fault" in row && row.isJsonFault === true) throw notJson(row.fault);
          yield row;
          hasMember = true;
        } else if (byte === COMMA || hasMember) throw notJson("a document before each comma");
        if (byte === LIST_END) state = "end";
      } else if (CLOSING.has(byte)) throw notJson("brackets that match");
    }
    if (state === "in list" || state === "in value") held.add(piece.subarray(from));
  }
  if (state === "in list") throw notJson("the end of the list");
  const row = held.take();
  if (row === null) return;
  if ("fault" in row && row.isJsonFault === true) throw notJson(row.fault);
  yield row;
}

/** The bytes of a row that is not complete yet. A row that is too long is forgotten as it comes, and becomes a fault. */
class Held {
  readonly #max: number;
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#length += bytes.length;
    if (this.#length > this.#max) this.#pieces = [];
    else this.#pieces.push(bytes);
  }

  /** Returns the row and begins the next; null if there are only spaces. */
  take(): (Row & { readonly isJsonFault?: boolean }) | null {
    const [pieces, length] = [this.#pieces, this.#length];
    [this.#pieces, this.#length] = [[], 0];
    if (length > this.#max)
      return { fault: `expected a document of at most ${this.#max} bytes, got ${length}` };
    const text = decoded(pieces);
    if (text === null) return { fault: "expected UTF-8, got other bytes" };
    if (/^\s*$/.test(text)) return null;
    try {
      return { value: JSON.parse(text) };
    } catch (error) {
      return { fault: `expected JSON, got ${(error as Error).message}`, isJsonFault: true };
    }
  }
}

function decoded(pieces: readonly Uint8Array[]): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(
      pieces.length === 1 ? pieces[0] : Buffer.concat(pieces),
    );
  } catch {
    return null;
  }
}

function notJson(expected: string): RefusedRequest {
  return new RefusedRequest({
    status: 400,
    code: "BAD_JSON",
    reason: expected.startsWith("expected") ? expected : `expected ${expected}, got other JSON`,
    hint: "Send a JSON list of documents, or one document per line as application/x-ndjson",
  });
}
