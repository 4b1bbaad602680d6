import type { Tokenizer } from "../text/tokenizer.ts";
import { characterBytes, characterStart } from "../text/utf8.ts";
import { skipSpace, trimSpace } from "../text/white-space.ts";
import { type Block, eachBlock } from "./block.ts";
import type { ChunkParameters } from "./chunk-parameters.ts";
import { codeParts, partLevel } from "./code.ts";
import type { DocumentTokens } from "./document-tokens.ts";
import { Outline } from "./outline.ts";
import { type Pieces, piecesOf, SENTENCE } from "./piece.ts";

/** A chunk whose text has not been read yet. */
export interface Range {
  readonly headingPath: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
}

/** [CLS] and [SEP]. */
const SPECIALS = 2;
/** One character decomposes to at most four, and each of those is at most one token. */
const CHARACTER_TOKENS_MAX = 4;
/** The share of the byte limit that an overlap may take. */
const OVERLAP_BYTES_DIVISOR = 8;

const SPACE = 0x20;
const TAB = 0x09;
const LF = 0x0a;

/**
 * Packs blocks into chunks as they come. Work that can take long is a generator, which pauses between steps of a few
 * milliseconds. SPEC §11.7 and §11.8
 */
export class Packer {
  readonly #tokenizer: Tokenizer;
  readonly #text: Uint8Array;
  readonly #tokens: DocumentTokens;
  readonly #emit: (range: Range) => void;
  /** The number of tokens that a chunk has room for. */
  readonly #budget: number;
  readonly #maxBytes: number;
  readonly #overlapTokens: number;
  readonly #outline = new Outline();
  /** The first word that is not in a block yet. */
  #word = 0;
  /** Whether the section has only headings so far. */
  #sectionIsHeadings = true;

  // The open chunk; `#start` is −1 while there is none.
  #start = -1;
  #end = 0;
  #count = 0;
  #isHeadings = true;

  constructor(
    tokenizer: Tokenizer,
    text: Uint8Array,
    tokens: DocumentTokens,
    parameters: ChunkParameters,
    emit: (range: Range) => void,
  ) {
    this.#tokenizer = tokenizer;
    this.#text = text;
    this.#tokens = tokens;
    this.#emit = emit;
    this.#budget = parameters.maxTokens - SPECIALS;
    this.#maxBytes = parameters.maxBytes;
    this.#overlapTokens = parameters.overlapTokens;
  }

  /** Takes the next block. */
  *block(block: Block): Generator<void> {
    const { role } = block;
    if (role === null) this.#sectionIsHeadings = false;
    else if (role !== "front matter") {
      // Headings with nothing between them are one section: none of them deserves its own chunk.
      if (!this.#sectionIsHeadings) this.close();
      this.#sectionIsHeadings = true;
    }
    yield* this.#pack(block);
    if (role !== "front matter") return;
    this.close();
    this.#sectionIsHeadings = true;
  }

  /** Ends the open chunk. */
  close(): void {
    if (this.#start < 0) return;
    this.#write(this.#start, this.#end, this.#count);
    this.#start = -1;
  }

  *#pack(block: Block): Generator<void> {
    const start = skipSpace(this.#text, block.start, block.end);
    const end = trimSpace(this.#text, start, block.end);
    const heading = block.role === "front matter" ? null : block.role;
    const first = this.#word;
    while (this.#word < this.#tokens.words && this.#tokens.starts[this.#word]! < end) this.#word++;
    const count = this.#tokens.before[this.#word]! - this.#tokens.before[first]!;
    const fitsAlone = count <= this.#budget && end - start <= this.#maxBytes;
    const fits = this.#start < 0 ? fitsAlone : this.#fits(count, end);
    if (!fits && this.#start >= 0) {
      const room = this.#budget - this.#count;
      if ((fitsAlone && !this.#isHeadings) || 2 * room < this.#budget) this.close();
    }
    // A chunk is under the headings that are in it, so a heading counts from here on.
    if (heading !== null) this.#outline.enter(heading.level, heading.title);
    if (fits || (fitsAlone && this.#start < 0)) this.#add(start, end, count, heading !== null);
    else {
      const level = yield* partLevel(this.#text, block);
      if (level !== null) {
        this.#word = first;
        return yield* eachBlock(
          (sink) => codeParts(this.#text, block, level, sink),
          (part) => this.#pack(part),
        );
      }
      const pieces = yield* piecesOf(this.#text, this.#tokens, start, end, first, this.#word, block.kind);
      yield* this.#cut(pieces, heading !== null);
    }
  }

  /** Returns whether the open chunk can extend to `end` with `count` more tokens. */
  #fits(count: number, end: number): boolean {
    return this.#count + count <= this.#budget && end - this.#start <= this.#maxBytes;
  }

  #add(start: number, end: number, count: number, isHeading: boolean): void {
    if (this.#start < 0) {
      this.#start = start;
      this.#count = 0;
      this.#isHeadings = true;
    }
    this.#end = end;
    this.#count += count;
    this.#isHeadings &&= isHeading;
  }

  /** Packs a block piece by piece. Its last part stays open for the following blocks. */
  *#cut(pieces: Pieces, isHeading: boolean): Generator<void> {
    const { count, starts, ends, before } = pieces;
    // The first piece that may be repeated, and whether the open chunk is only repetition.
    let repeatable = 0;
    let isRepetition = false;
    let next = 0;
    while (next < count) {
      if (this.#isOversize(pieces, next)) {
        if (isRepetition) this.#start = -1;
        this.close();
        isRepetition = false;
        yield* this.#writePieces(starts[next]!, ends[next]!);
        repeatable = ++next;
        continue;
      }
      const furthest = this.#furthest(pieces, next);
      if (furthest === next) {
        if (isRepetition) this.#start = -1;
        this.close();
        isRepetition = false;
        continue;
      }
      const isBroken = furthest < count;
      const to = isBroken ? this.#bestBreak(pieces, next, furthest) : count;
      if (this.#start < 0) repeatable = Math.max(repeatable, next + 1);
      this.#add(starts[next]!, ends[to - 1]!, before[to]! - before[next]!, isHeading);
      isRepetition = false;
      next = to;
      if (!isBroken) continue;
      this.close();
      yield;
      const repeated = this.#overlapStart(pieces, repeatable, next);
      if (repeated < next) {
        this.#add(starts[repeated]!, ends[next - 1]!, before[next]! - before[repeated]!, isHeading);
        isRepetition = true;
        repeatable = repeated + 1;
      }
    }
  }

  #isOversize({ starts, ends, before }: Pieces, i: number): boolean {
    return ends[i]! - starts[i]! > this.#maxBytes || before[i + 1]! - before[i]! > this.#budget;
  }

  /** Returns the end of the longest run of pieces from `next` on that fits in the open chunk, or in a new one. */
  #furthest(pieces: Pieces, next: number): number {
    const { count, starts, ends, before } = pieces;
    const start = this.#start < 0 ? starts[next]! : this.#start;
    const room = this.#start < 0 ? this.#budget : this.#budget - this.#count;
    let to = next;
    while (to < count && before[to + 1]! - before[next]! <= room && ends[to]! - start <= this.#maxBytes) to++;
    return to;
  }

  /** Returns the best place to cut, the last one among equals, that leaves at least half of what fits before it. */
  #bestBreak(pieces: Pieces, next: number, furthest: number): number {
    const { before, breaks } = pieces;
    // The oversized piece that follows must be cut anyway, so nothing is gained by stopping before it.
    if (this.#isOversize(pieces, furthest)) return furthest;
    const half = (before[furthest]! - before[next]!) / 2;
    let best = furthest;
    for (let i = furthest - 1; i > next && before[i]! - before[next]! >= half; i--) {
      if (breaks[i]! > breaks[best]!) best = i;
    }
    return best;
  }

  /** Returns where the repetition before a cut at `cut` starts: at its first sentence, else at its first word. */
  #overlapStart({ starts, ends, before, breaks }: Pieces, repeatable: number, cut: number): number {
    const bytes = Math.floor(this.#maxBytes / OVERLAP_BYTES_DIVISOR);
    let start = cut;
    let sentence = cut;
    for (let i = cut - 1; i >= repeatable; i--) {
      if (before[cut]! - before[i]! > this.#overlapTokens || ends[cut - 1]! - starts[i]! > bytes) break;
      start = i;
      if (breaks[i]! >= SENTENCE) sentence = i;
    }
    return sentence < cut ? sentence : start;
  }

  /** Cuts text that fits in no chunk between characters; each piece becomes its own chunk. SPEC §11.9 */
  *#writePieces(start: number, end: number): Generator<void> {
    for (let from = start; from < end; ) {
      const to = from + this.#maxBytes >= end ? end : characterStart(this.#text, from + this.#maxBytes);
      if (!this.#writePiece(from, to)) this.#writeCharacters(from, to);
      from = to;
      yield;
    }
  }

  /** Takes as many characters at a time as are sure to fit, whatever their tokens. */
  #writeCharacters(start: number, end: number): void {
    const characters = Math.floor(this.#budget / CHARACTER_TOKENS_MAX);
    for (let from = start; from < end; ) {
      let to = from;
      for (let i = 0; i < characters && to < end; i++) to += characterBytes(this.#text[to]!);
      this.#writePiece(from, to);
      from = to;
    }
  }

  /** Returns false, with nothing written, if the piece has too many tokens. */
  #writePiece(from: number, to: number): boolean {
    const start = skipSpace(this.#text, from, to);
    if (start === to) return true;
    const end = trimSpace(this.#text, start, to);
    const part = this.#text.subarray(start, end);
    const { ids, truncated } = this.#tokenizer.tokenizeCanonical(part, this.#budget + SPECIALS);
    if (truncated) return false;
    this.#write(start, end, ids.length - SPECIALS);
    return true;
  }

  #write(start: number, end: number, count: number): void {
    const headingPath = this.#outline.path;
    this.#emit({ headingPath, start: this.#withIndent(start, end), end, tokens: count + SPECIALS });
  }

  /** Returns the start of the line if only spaces and tabs lie between and there is room: code keeps its shape. */
  #withIndent(start: number, end: number): number {
    const lowest = Math.max(0, end - this.#maxBytes);
    let at = start;
    while (at > lowest && (this.#text[at - 1] === SPACE || this.#text[at - 1] === TAB)) at--;
    return at === 0 || this.#text[at - 1] === LF ? at : start;
  }
}
