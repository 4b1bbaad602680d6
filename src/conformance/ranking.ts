import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { diversify } from "../search/diversify.ts";
import { binary32Bits, fuse, type RankedList } from "../search/fuse.ts";
import { inResultOrder } from "../search/result-order.ts";
import { parseHex } from "./hex.ts";
import { type Outcome, Tally } from "./outcome.ts";

interface FusionInput {
  readonly name: string;
  readonly k: string;
  readonly lists: readonly { readonly weight: string; readonly ids: string }[];
}

/** test-vectors/rrf.json */
export interface RrfVectors {
  readonly cases: readonly (FusionInput & {
    readonly places: Readonly<Record<string, readonly (string | number)[] | undefined>>;
    readonly scores: readonly string[];
    readonly order: string;
    readonly orderByCoverage: string;
  })[];
  readonly invalid: readonly (FusionInput & { readonly error: string })[];
}

interface DiversityInput {
  readonly name: string;
  readonly lambda: number;
  readonly query: string;
  readonly vectors: readonly string[];
}

/** test-vectors/mmr.json */
export interface MmrVectors {
  readonly cases: readonly (DiversityInput & { readonly count: number; readonly chosen: string })[];
  readonly invalid: readonly (DiversityInput & { readonly error: string })[];
}

/** SPEC §16.1 and §16.2 */
export function checkRrf(engine: Engine, vectors: RrfVectors): Outcome {
  const tally = new Tally("rrf");
  for (const each of vectors.cases) {
    const lists = listsOf(each);
    const fused = fuse(engine, lists, numberOf(each.k)).map((one) => {
      const [path = one.id, sequence = 0] = each.places[one.id] ?? [];
      return { ...one, chunkId: one.id, path: String(path), sequence: Number(sequence) };
    });
    const isSingle = lists.filter(({ ids }) => ids.length > 0).length < 2;
    const order = (preferCoverage: boolean) =>
      inResultOrder(fused, isSingle, preferCoverage)
        .map(({ id }) => id)
        .join(" ");
    const scores = fused.map(({ id, score, channels }) => `${id} ${bitsHex(score)} ${channels}`);
    tally.record(each.name, [
      ["scores", each.scores.join(), scores.join()],
      ["order", each.order, order(false)],
      ["order by coverage", each.orderByCoverage, order(true)],
    ]);
  }
  for (const each of vectors.invalid) {
    const got = errorOf(() => fuse(engine, listsOf(each), numberOf(each.k)));
    tally.record(each.name, [["error", each.error, got]]);
  }
  return tally.outcome();
}

/** SPEC §16.3 */
export function checkMmr(engine: Engine, vectors: MmrVectors): Outcome {
  const tally = new Tally("mmr");
  const run = ({ lambda, query, vectors: rows }: DiversityInput, count: number) =>
    diversify(engine, rows.map(vectorOf), vectorOf(query), lambda / 1000, count);
  for (const each of vectors.cases) {
    tally.record(each.name, [["chosen", each.chosen, run(each, each.count).join(" ")]]);
  }
  for (const each of vectors.invalid) {
    tally.record(each.name, [["error", each.error, errorOf(() => run(each, each.vectors.length))]]);
  }
  return tally.outcome();
}

function listsOf({ lists }: FusionInput): RankedList[] {
  return lists.map(({ weight, ids }) => ({
    weight: numberOf(weight),
    ids: ids === "" ? [] : ids.split(" "),
  }));
}

function vectorOf(hex: string): Int16Array {
  return Int16Array.from(parseHex(hex, 4));
}

function numberOf(bits: string): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, Number.parseInt(bits, 16));
  return view.getFloat32(0);
}

function bitsHex(value: number): string {
  return binary32Bits(value).toString(16).padStart(8, "0");
}

function errorOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof SelfsameError) return error.code;
    throw error;
  }
  return "no error";
}
