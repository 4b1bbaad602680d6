// test-vectors/root.json: `npm run vectors -- root`.
import { documentId, textHash } from "./identity.ts";
import { splitmix32 } from "./prng.ts";
import { type Documents, differences, nodesOf, rootOf, somePrefixes, subtreeOf } from "./root.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const hashOf = (text: string): string => hex(textHash(new TextEncoder().encode(text)));
const idOf = (path: string): string => hex(documentId("default", path));

/** Ids by hand share long beginnings, which hashes never do. */
const digits = (start: string, fill: string, end = ""): string => start.padEnd(32 - end.length, fill) + end;

function numbered(count: number): [string, string][] {
  return Array.from({ length: count }, (_, i) => [idOf(`notes/${i}.md`), hashOf(`Note ${i}.\n`)]);
}

const SETS: readonly [name: string, documents: Documents][] = [
  ["nothing", new Map()],
  ["one document", new Map([[idOf("ties.md"), hashOf("Ties.\n")]])],
  ["one document, another text", new Map([[idOf("ties.md"), hashOf("Ties are broken.\n")]])],
  ["one document, empty", new Map([[idOf("ties.md"), hashOf("")]])],
  ["two documents", new Map(numbered(2))],
  [
    "two that differ in the last digit",
    new Map([
      [digits("", "a", "0"), hashOf("a")],
      [digits("", "a", "1"), hashOf("b")],
    ]),
  ],
  [
    "two that differ in the first digit",
    new Map([
      [digits("0", "a"), hashOf("a")],
      [digits("f", "a"), hashOf("b")],
    ]),
  ],
  [
    "three, two of them close",
    new Map([
      [digits("12", "0"), hashOf("a")],
      [digits("123", "0"), hashOf("b")],
      [digits("4", "0"), hashOf("c")],
    ]),
  ],
  [
    "sixteen digits",
    new Map([..."0123456789abcdef"].map((digit) => [digits(digit, "7"), hashOf(digit)] as const)),
  ],
  ["sixty documents", new Map(numbered(60))],
  ["a hundred and fifty documents", new Map(numbered(150))],
];

/** A walk of adds, changes and removes; the root after each step. */
function history(): { changes: [string, string | null][]; root: string }[] {
  const next = splitmix32(5);
  const documents = new Map<string, string>();
  return Array.from({ length: 24 }, () => {
    const changes = Array.from({ length: 1 + (next() % 6) }, (): [string, string | null] => {
      const id =
        next() % 4 === 0
          ? digits("", "c", "0123456789abcdef"[next() % 16]!)
          : idOf(`notes/${next() % 24}.md`);
      return [id, next() % 3 === 0 ? null : hashOf(`Text ${next() % 4}.\n`)];
    });
    for (const [id, value] of changes) {
      if (value === null) documents.delete(id);
      else documents.set(id, value);
    }
    return { changes, root: rootOf(documents) };
  });
}

/** SPEC §13 */
export function generate() {
  const large = new Map(numbered(150));
  const other = new Map(large);
  for (let i = 0; i < 150; i += 47) other.delete(idOf(`notes/${i}.md`));
  for (let i = 1; i < 150; i += 61) other.set(idOf(`notes/${i}.md`), hashOf(`Note ${i}, changed.\n`));
  other.set(idOf("notes/new.md"), hashOf("New.\n"));
  const named = (name: string): Documents => SETS.find(([set]) => set === name)![1];
  const pairs: readonly [string, Documents, Documents][] = [
    ["nothing and one", named("nothing"), named("one document")],
    ["one and nothing", named("one document"), named("nothing")],
    ["one text changed", named("one document"), named("one document, another text")],
    [
      "two that are close and one of them",
      named("two that differ in the last digit"),
      new Map([...named("two that differ in the last digit")].slice(0, 1)),
    ],
    [
      "one of two that are close and both",
      new Map([...named("two that differ in the last digit")].slice(1)),
      named("two that differ in the last digit"),
    ],
    ["a hundred and fifty, some changed", large, other],
    ["sixty and a hundred and fifty", named("sixty documents"), large],
  ];
  return {
    _comment:
      "cases: documents as [id, value], the root, and for small sets the record of every node by prefix; subtrees: bit prefixes and their digests. history: batches of [id, value or null] applied to an empty set one after the other, and the root after each. differences: two sets, and [id, value here, value there] of what is not the same.",
    spec: "SPEC §13",
    parameters: {},
    cases: SETS.map(([name, documents]) => ({
      name,
      documents: [...documents],
      root: rootOf(documents),
      nodes: documents.size <= 20 ? Object.fromEntries(nodesOf(documents)) : null,
      subtrees: somePrefixes(documents).map((bits) => [bits, subtreeOf(documents, bits)]),
    })),
    history: history(),
    differences: pairs.map(([name, here, there]) => ({
      name,
      here: [...here],
      there: [...there],
      differences: differences(here, there),
    })),
  };
}
