import { bitsOf } from "./arith.ts";
import { splitmix32 } from "./prng.ts";
import { fuse, type List, ordered, type Place } from "./ranking.ts";

const hex = (value: number): string => bitsOf(value).toString(16).padStart(8, "0");
const list = (ids: string, weight = 1): List => ({ weight, ids: ids === "" ? [] : ids.split(" ") });

/** Where a chunk is; the path is the id unless told otherwise. */
type Places = Record<string, [path: string, sequence: number]>;

const CASES: [name: string, lists: List[], k?: number, places?: Places][] = [
  ["CFS-012: A, C, B, D", [list("A B C"), list("C A D")]],
  [
    "CFS-012, hybrid search test",
    [list("roots hash-trees proofs tree"), list("tree root-computed binary roots")],
  ],
  ["CFS-012, exact match test: only the lexical list has it", [list(""), list("v7")]],
  ["Rifflux: c2 is in both lists", [list("c2 c3"), list("c1 c2")]],
  ["hybrid orchestration: equal scores by path", [list("b.md d.md"), list("a.md c.md")]],
  ["hybrid orchestration: one list empty, the other unchanged", [list("z y x"), list("")]],
  ["hybrid orchestration: both empty", [list(""), list("")]],
  ["hybrid orchestration: coverage decides where scores are equal", [list("a p c q"), list("x y c z")], 1],
  ["DocsToKG: first in dense, fifth in BM25", [list("d", 0.65), list("a b c e d", 0.35)]],
  ["DocsToKG: three channels, one of weight 0", [list("a b c", 0.65), list("c d a", 0.35), list("d e f", 0)]],
  ["no list", []],
  ["one list", [list("c b a")]],
  ["one list of weight 0 keeps its order", [list("c b a", 0)]],
  ["three equal lists", [list("a b c"), list("a b c"), list("a b c")]],
  [
    "five lists, contributions in their order",
    [1, 0.1, 0.01, 0.001, 0.3].map((weight) => list("a b c d", weight)),
  ],
  ["k = 0", [list("a b c"), list("b a")], 0],
  ["k = 0.1, not a binary32", [list("a b c"), list("b c a")], 0.1],
  ["k = 10⁶", [list("a b c"), list("b c a")], 1_000_000],
  ["weights at their limit", [list("a b", 1_000_000), list("b a", 999_999.97)]],
  ["weights below the normal numbers", [list("a b", 1e-40), list("b a", 1.5e-45)], 0],
  [
    "equal scores: path, then sequence, then chunk id",
    [list("a1 b1 c1 d1"), list("a2 b2 c2 d2")],
    60,
    {
      a1: ["notes/b.md", 0],
      a2: ["notes/a.md", 7],
      b1: ["x.md", 10],
      b2: ["x.md", 9],
      c1: ["y.md", 1],
      c2: ["y.md", 1],
      d1: ["Z.md", 0],
      d2: ["z.md", 0],
    },
  ],
  [
    "paths by UTF-8, not by UTF-16",
    [list("a1 b1 c1"), list("a2 b2 c2")],
    60,
    {
      a1: ["\u{10000}.md", 0],
      a2: ["\ufffd.md", 0],
      b1: ["a/b", 0],
      b2: ["a", 0],
      c1: ["é", 0],
      c2: ["z", 0],
    },
  ],
];

function drawn(): [string, List[], number][] {
  const next = splitmix32(16);
  return Array.from({ length: 12 }, (_, round) => {
    const lists = Array.from({ length: 1 + (next() % 4) }, () => {
      const ids = Array.from({ length: next() % 40 }, () => `chunk${next() % 50}`);
      return { weight: (next() % 1000) / 500, ids: [...new Set(ids)] };
    });
    return [`drawn ${round}`, lists, (next() % 2000) / 10];
  });
}

/** SPEC §16.1, §16.2 */
export function generate() {
  return {
    _comment:
      "Weighted reciprocal rank fusion. k, weights and scores are bits of binary32; lists in the order of the channels; places: [path, sequence] of ids where the path is not the id. order and orderByCoverage: the ids in the order of results, without and with preferCoverage. ids stand for chunk ids. invalid: refused with that error.",
    spec: "SPEC §16.1, §16.2",
    parameters: { k: hex(60), limit: hex(1_000_000) },
    cases: [...CASES, ...drawn()].map(([name, lists, k = 60, places = {}]) => {
      const fused = fuse(lists, k);
      const place = (id: string): Place => {
        const [path, sequence] = places[id] ?? [id, 0];
        return { path, sequence };
      };
      const at = Object.fromEntries(fused.map(({ id }) => [id, place(id)]));
      return {
        name,
        k: hex(k),
        lists: lists.map(({ weight, ids }) => ({ weight: hex(weight), ids: ids.join(" ") })),
        places,
        scores: fused.map(({ id, score, channels }) => `${id} ${hex(score)} ${channels}`),
        order: ordered(fused, at, lists, false).join(" "),
        orderByCoverage: ordered(fused, at, lists, true).join(" "),
      };
    }),
    invalid: [
      ["k below 0", "bf800000", "3f800000", "a b"],
      ["k above 10⁶", "49742410", "3f800000", "a b"],
      ["k infinite", "7f800000", "3f800000", "a b"],
      ["k not a number", "7fc00000", "3f800000", "a b"],
      ["a weight below 0", "42700000", "bf800000", "a b"],
      ["a weight above 10⁶", "42700000", "49742410", "a b"],
      ["a weight that is not a number", "42700000", "7fc00000", "a b"],
      ["an id twice in a list", "42700000", "3f800000", "a b a"],
    ].map(([name, k, weight, ids]) => ({ name, k, lists: [{ weight, ids }], error: "BAD_ARGUMENT" })),
  };
}
