/** Recall and time of this index and of classic HNSW, and both at equal recall. */
import type { VectorIndex } from "selfsame";
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

const EFS = [10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 70, 80, 90, 100, 120, 150];

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
  const own = sweep(
    (i, k, ef) => index.search(queries[i]!, { k, ef }).map(({ id }) => numberOf(id)),
    exact,
    EFS,
  );
  const row = (name: string, { ef, recall10, recall20, us }: Point): Row => ({
    index: name,
    ef,
    "recall@10": round(recall10, 4),
    "recall@20": round(recall20, 4),
    "µs/query": round(us, 1),
  });
  const rows = own.filter(({ ef }) => [20, 50, 100].includes(ef)).map((point) => row("selfsame", point));
  const ratios: Row[] = [];
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
        const equal = own.find(({ recall10 }) => recall10 >= point.recall10);
        if (equal === undefined) continue;
        // Once more, in turns, so that a change of the machine's speed meets both alike.
        const [ours, other] = inTurns(index, queries, equal.ef, peer, points, point.ef);
        ratios.push({
          against: `${name}, ef ${point.ef}`,
          "its recall@10": round(point.recall10, 4),
          "our ef": equal.ef,
          "our recall@10": round(equal.recall10, 4),
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
  return [
    { title: `Recall and time: ${what}`, rows },
    ...(ratios.length === 0 ? [] : [{ title: `At equal recall: ${what}`, rows: ratios }]),
  ];
}

function fillPeer(peer: Peer, set: VectorSet): void {
  for (let i = 0; i < set.count; i++) peer.add(peer.prepare(set.at(i)), i);
}

function inTurns(
  index: VectorIndex,
  queries: Int16Array[],
  ef: number,
  peer: Peer,
  points: unknown[],
  peerEf: number,
): [ours: number, theirs: number] {
  peer.setEf(peerEf);
  let ours = Number.POSITIVE_INFINITY;
  let theirs = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 7; turn++) {
    ours = Math.min(
      ours,
      microseconds(queries, (query: Int16Array) => index.search(query, { k: 10, ef }), 1),
    );
    theirs = Math.min(
      theirs,
      microseconds(points, (point) => peer.search(point, 10), 1),
    );
  }
  return [ours, theirs];
}
