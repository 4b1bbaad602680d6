import type { Engine } from "../engine/engine.ts";
import { BAD_CONSTANT, BAD_WEIGHT, NO_MEMORY } from "../engine/exports.generated.ts";
import { badArgument } from "../errors/arguments.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";

/** The ids that one channel found, best first, without duplicates. */
export interface RankedList {
  readonly ids: readonly string[];
  /** The weight, 0 to 10⁶; rounded to binary32. */
  readonly weight: number;
}

export interface Fused {
  readonly id: string;
  /** A binary32 value, stored in a double. */
  readonly score: number;
  /** Ranks from 1, in the order of the lists; null if a list does not contain the id. */
  readonly ranks: readonly (number | null)[];
  /** The number of lists that contain the id. */
  readonly channels: number;
}

/** The largest constant and the largest weight of a fusion. SPEC §16.1 */
export const FUSION_LIMIT = 1_000_000;

/**
 * Fuses lists by weighted reciprocal rank fusion, computed by the engine. Contributions are added in the order of the
 * lists, which is that of the channels: semantic, lexical, sparse. SPEC §16.1
 *
 * @returns every id once, in the order of first occurrence, list by list; `inResultOrder` sorts them.
 */
export function fuse(engine: Engine, lists: readonly RankedList[], k: number): Fused[] {
  const numbers = new Map<string, number>();
  const entries: number[] = [];
  for (const { ids } of lists) {
    for (const id of ids) {
      const number = numbers.get(id) ?? numbers.size;
      numbers.set(id, number);
      entries.push(number);
    }
  }
  const items = numbers.size;
  const { scores, channels } = engine.scope(() => {
    const scoresAt = engine.alloc(4 * items);
    const channelsAt = engine.alloc(4 * items);
    const code = engine.exports.rank_fuse(
      scoresAt,
      channelsAt,
      items,
      writeWords(engine, entries),
      writeWords(
        engine,
        lists.map(({ ids }) => ids.length),
      ),
      writeWords(
        engine,
        lists.map(({ weight }) => binary32Bits(weight)),
      ),
      lists.length,
      binary32Bits(k),
    );
    if (code < 0) throw refusal(code, lists, k);
    const scoreBytes = new DataView(engine.read(scoresAt, 4 * items).buffer);
    const channelBytes = new DataView(engine.read(channelsAt, 4 * items).buffer);
    return {
      scores: Float32Array.from({ length: items }, (_, item) => scoreBytes.getFloat32(4 * item, true)),
      channels: Uint32Array.from({ length: items }, (_, item) => channelBytes.getUint32(4 * item, true)),
    };
  });
  const ranks = ranksOf(lists, numbers);
  return Array.from(numbers, ([id, number]) => ({
    id,
    score: scores[number]!,
    ranks: ranks[number]!,
    channels: channels[number]!,
  }));
}

/**
 * Returns a list with only the first id of each group, for example to rank documents instead of chunks. The ids of the
 * returned list are the groups' names. SPEC §16.1
 */
export function groupRanks(ids: readonly string[], groupOf: (id: string) => string): string[] {
  return [...new Set(ids.map(groupOf))];
}

/** Returns the bits of a number rounded to binary32. −0 gives the bits of 0. */
export function binary32Bits(value: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value + 0);
  return view.getUint32(0);
}

function ranksOf(lists: readonly RankedList[], numbers: ReadonlyMap<string, number>): (number | null)[][] {
  const ranks = Array.from(numbers, () => new Array<number | null>(lists.length).fill(null));
  for (const [list, { ids }] of lists.entries()) {
    for (const [index, id] of ids.entries()) ranks[numbers.get(id)!]![list] = index + 1;
  }
  return ranks;
}

/** Little-endian on every host. */
function writeWords(engine: Engine, words: readonly number[]): number {
  const view = new DataView(new ArrayBuffer(4 * words.length));
  for (const [index, word] of words.entries()) view.setUint32(4 * index, word, true);
  return engine.write(new Uint8Array(view.buffer));
}

function refusal(code: number, lists: readonly RankedList[], k: number): SelfsameError {
  if (code === NO_MEMORY) {
    return new SelfsameError(
      "OUT_OF_MEMORY",
      "expected memory to fuse the lists, got none",
      "Request fewer results",
    );
  }
  if (code === BAD_CONSTANT) {
    return badArgument("rrfK", `a number from 0 to ${FUSION_LIMIT}`, k);
  }
  if (code === BAD_WEIGHT) {
    const weights = lists.map(({ weight }) => weight);
    return badArgument("weights", `numbers from 0 to ${FUSION_LIMIT}`, weights);
  }
  return new SelfsameError("BAD_ARGUMENT", "expected each id once in a ranked list, got a duplicate");
}
