/** Recall and time of this index and of classic HNSW, and both at equal recall. */
import type { VectorIndex } from "selfsame/engine";
import { DIM, numberOf, type VectorSet } from "./data.ts";
import {
  exactly,
  flag,
  microseconds,
  QUERIES,
  type Row,
  recall,
  round,
  type Split,
  say,
  seconds,
  type Table,
  verdict,
} from "./measure.ts";
import { loadPeers, type Peer, RIVALS } from "./peers.ts";

const EFS = [20, 50, 100];
/** recall@10 that must be reached on real vectors, and not be below hnswlib-node's. */
const RECALL_GOALS: Readonly<Record<number, number>> = { 50: 0.97, 100: 0.988 };
const TURNS = 9;

interface Point {
  readonly ef: number;
  readonly recall10: number;
  readonly recall20: number;
  readonly us: number;
}

/** Recall and time of each ef, k 10 timed as a user asks. */
function sweep(
  search: (i: number, k: number, ef: number) => number[],
  exact: { ten: Set<number>[]; twenty: Set<number>[] },
  efs: number[],
): Point[] {
  const numbers = exact.ten.map((_, i) => i);
  return efs.map((ef) => ({
    ef,
    recall10: recall(
      numbers.map((i) => search(i, 10, ef)),
      exact.ten,
    ),
    recall20: recall(
      numbers.map((i) => search(i, 20, ef)),
      exact.twenty,
    ),
    us: microseconds(numbers, (i: number) => search(i, 10, ef)),
  }));
}

export async function comparison({ set, queries }: Split, index: VectorIndex): Promise<Table[]> {
  const exact = { ten: exactly(index, queries, 10).numbers, twenty: exactly(index, queries, 20).numbers };
  const search = (i: number, k: number, ef: number) =>
    index.search(queries[i]!, { k, ef }).map(({ id }) => numberOf(id));
  const own = sweep(search, exact, EFS);
  const row = (name: string, { ef, recall10, recall20, us }: Point): Row => ({
    index: name,
    ef,
    "recall@10": round(recall10, 4),
    "recall@20": round(recall20, 4),
    "µs/query": round(us, 1),
  });
  const rows = own.map((point) => row("selfsame", point));
  const ratios: Row[] = [];
  const classic = new Map<number, number>(); // recall@10 of hnswlib-node by ef
  if (!flag("own")) {
    const peers = await loadPeers();
    for (const { name, goal, load } of RIVALS) {
      const peer = await peers[load](DIM, set.count);
      say(`${name}: building`);
      const built = await seconds(() => fillPeer(peer, set));
      const points = queries.map((query) => peer.prepare(query));
      const theirs = sweep(
        (i, k, ef) => {
          peer.setEf(ef);
          return peer.search(points[i], k);
        },
        exact,
        [50, 100],
      );
      for (const point of theirs) {
        rows.push({ ...row(name, point), "build s": round(built, 1) });
        if (name === "hnswlib-node") classic.set(point.ef, point.recall10);
        const equal = leastEf(search, exact.ten, point.recall10);
        peer.setEf(point.ef);
        const [ours = 0, other = 0] = inTurns(
          queries.length,
          (i) => index.search(queries[i]!, { k: 10, ef: equal.ef }),
          (i) => peer.search(points[i], 10),
        );
        ratios.push({
          against: `${name}, ef ${point.ef}`,
          "its recall@10": round(point.recall10, 4),
          "our ef": equal.ef,
          "our recall@10": round(equal.recall, 4),
          "its µs": round(other, 1),
          "our µs": round(ours, 1),
          "times as fast": round(other / ours, 2),
          goal,
          pass: verdict(other / ours >= goal),
        });
      }
    }
  }
  const what = `${set.count} ${set.name}, ${QUERIES} queries, one thread`;
  const goals = own
    .filter(({ ef }) => ef in RECALL_GOALS)
    .map(({ ef, recall10 }) => {
      const goal = Math.max(RECALL_GOALS[ef]!, classic.get(ef) ?? 0);
      return {
        ef,
        "recall@10": round(recall10, 4),
        goal: RECALL_GOALS[ef]!,
        "hnswlib-node": classic.has(ef) ? round(classic.get(ef)!, 4) : "not run",
        pass: verdict(recall10 >= goal),
      };
    });
  return [
    { title: `Recall and time: ${what}`, rows },
    { title: `Recall against its goals: ${what}`, rows: goals },
    ...(ratios.length === 0 ? [] : [{ title: `At equal recall: ${what}`, rows: ratios }]),
  ];
}

function fillPeer(peer: Peer, set: VectorSet): void {
  for (let i = 0; i < set.count; i++) peer.add(peer.prepare(set.at(i)), i);
}

/** The least ef, in steps of one, that reaches this recall. */
function leastEf(
  search: (i: number, k: number, ef: number) => number[],
  exact: Set<number>[],
  wanted: number,
): { ef: number; recall: number } {
  for (let ef = 20; ; ef++) {
    const found = recall(
      exact.map((_, i) => search(i, 10, ef)),
      exact,
    );
    if (found >= wanted) return { ef, recall: found };
  }
}

/**
 * Mean µs of two contenders that take turns over all queries. Of each query the best turn counts: other work on the
 * machine only adds, and all other queries between two turns keep the caches as cold as they are in use.
 */
function inTurns(queries: number, ...contenders: ((i: number) => unknown)[]): number[] {
  const best = contenders.map(() => new Float64Array(queries).fill(Number.POSITIVE_INFINITY));
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [c, contender] of contenders.entries()) {
      for (let i = 0; i < queries; i++) {
        const start = performance.now();
        contender(i);
        best[c]![i] = Math.min(best[c]![i]!, performance.now() - start);
      }
    }
  }
  return best.map((times) => (times.reduce((sum, time) => sum + time, 0) * 1000) / queries);
}
