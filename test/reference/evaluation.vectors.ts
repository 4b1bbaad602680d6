import { measures } from "./evaluation.ts";

const CASES: [name: string, ranking: string, grades: Record<string, number>, k: number][] = [
  ["all found, best first", "a b c", { a: 3, b: 2, c: 1 }, 3],
  ["all found, worst first", "c b a", { a: 3, b: 2, c: 1 }, 3],
  ["the usual example", "a b c d e f", { a: 3, b: 2, c: 3, e: 1, f: 2 }, 6],
  ["cut at k", "x a y b z c", { a: 1, b: 1, c: 1 }, 3],
  ["fewer than k were found", "a", { a: 1, b: 1 }, 10],
  ["nothing was found", "", { a: 1 }, 10],
  ["nothing relevant was found", "x y", { a: 1, x: 0 }, 2],
  ["nothing is relevant", "a b", { a: 0, b: -1 }, 2],
  ["no judgements", "a b", {}, 2],
  ["grades below 0 are 0", "a b", { a: -2, b: 1 }, 2],
  ["the first relevant is behind k", "x y z a", { a: 2 }, 2],
  ["an id twice counts once, at its first place", "a a b a c", { a: 1, b: 1, c: 1 }, 3],
  ["k = 1", "b a", { a: 1, b: 2 }, 1],
  ["more relevant than k", "a b", { a: 1, b: 1, c: 1, d: 1, e: 1 }, 2],
  [
    "a long list",
    Array.from({ length: 100 }, (_, i) => `d${i}`).join(" "),
    { d0: 1, d7: 4, d50: 2, d99: 3, none: 5 },
    100,
  ],
];

const QUERY_FILES: [name: string, file: string, queries: [string, string][]][] = [
  [
    "JSON, as BEIR writes it",
    '{"_id": "q1", "text": "merkle tree", "metadata": {}}\n\n{"_id": "q2", "text": "ties"}\n',
    [
      ["q1", "merkle tree"],
      ["q2", "ties"],
    ],
  ],
  [
    "JSON, other names, numbers, CRLF, a byte order mark",
    '\ufeff{"id": 7, "query": "a\\tb"}\r\n{"qid": "8", "text": "c"}',
    [
      ["7", "a\tb"],
      ["8", "c"],
    ],
  ],
  [
    "tabs",
    "1\tmerkle tree\n2\tties\tof ranks\n",
    [
      ["1", "merkle tree"],
      ["2", "ties\tof ranks"],
    ],
  ],
  [
    "topics of TREC",
    "<top>\n\n<num> Number: 301\n<title> International Organized Crime\n\n<desc> Description:\nIdentify organizations.\n</top>\n<top>\n<num>302\n<title>\nPoliomyelitis\nand Post-Polio\n<narr> x\n</top>\n",
    [
      ["301", "International Organized Crime"],
      ["302", "Poliomyelitis and Post-Polio"],
    ],
  ],
  ["nothing", "\n \n", []],
];

const INVALID_QUERY_FILES: [file: string, line: number][] = [
  ['{"_id": "q1", "text": "a"}\n{"_id": "q2"}', 2],
  ['{"_id": "q1", "text": "a"}\n\nq2\tb', 3],
  ['{"_id": "", "text": "a"}', 1],
  ['{"id": 1.5, "text": "a"}', 1],
  ["{", 1],
  ["1\ta\n1\tb", 2],
  ["1 a", 1],
  ["1\t", 1],
  ["<top>\n<num> Number: 1\n</top>", 3],
  ["<top>\n<num> Number: 1\n<title> a", 1],
];

const JUDGEMENT_FILES: [name: string, file: string, judgements: Record<string, Record<string, number>>][] = [
  [
    "TREC's four columns",
    "301 0 FR940202-2-00150 1\n301\t0\tFR940104 0\r\n302 Q0 docs/a b.md  2\n",
    { 301: { "FR940202-2-00150": 1, FR940104: 0 }, 302: { "docs/a b.md": 2 } },
  ],
  [
    "BEIR's three",
    "query-id\tcorpus-id\tscore\nq1\tdocs/a b.md\t1\nq1\td2\t-1\n",
    { q1: { "docs/a b.md": 1, d2: -1 } },
  ],
  [
    "JSON",
    '{"query": "q1", "doc": "a.md", "relevance": 3}\n{"query-id": 2, "corpus-id": 5, "score": 0}\n{"qid": "q1", "docid": "b", "grade": 1}',
    { q1: { "a.md": 3, b: 1 }, 2: { 5: 0 } },
  ],
  ["nothing", "", {}],
];

const INVALID_JUDGEMENT_FILES: [file: string, line: number][] = [
  ["301 0 a 1\n301 0 b", 2],
  ["301 0 a 1\n\n301 0 a 1", 3],
  ["301 0 a x", 1],
  ["301 0 a 1.5", 1],
  ["query-id\tcorpus-id\tscore\nq1 a 1", 2],
  ['{"query": "q1", "doc": "a"}', 1],
  ['{"query": "q1", "doc": "a", "relevance": "1"}', 1],
  ['{"query": "q1", "relevance": 1}', 1],
  ['{"query": "q1", "doc": "a", "relevance": 1}\n[1]', 2],
];

/** SPEC §19 */
export function generate() {
  return {
    _comment:
      "cases: measures of a ranking with six digits behind the point, null where nothing is relevant. queries and judgements: what files are read as; invalid ones are refused with BAD_JUDGEMENTS and a message that names the line.",
    spec: "SPEC §19",
    parameters: { digits: 6 },
    cases: CASES.map(([name, ids, grades, k]) => {
      const ranking = ids === "" ? [] : ids.split(" ");
      const found = measures(ranking, grades, k);
      const printed =
        found && Object.fromEntries(Object.entries(found).map(([key, value]) => [key, value.toFixed(6)]));
      return { name, ranking: ids, grades, k, measures: printed };
    }),
    queries: QUERY_FILES.map(([name, file, queries]) => ({
      name,
      file,
      queries: queries.map(([id, text]) => ({ id, text })),
    })),
    judgements: JUDGEMENT_FILES.map(([name, file, judgements]) => ({ name, file, judgements })),
    invalidQueries: INVALID_QUERY_FILES.map(([file, line]) => ({ file, line })),
    invalidJudgements: INVALID_JUDGEMENT_FILES.map(([file, line]) => ({ file, line })),
  };
}
