/** What the libraries of the search benchmark are made of: real passages where bench/corpus.ts has gathered them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { splitmix32 } from "../../test/reference/prng.ts";

const CORPUS = join(import.meta.dirname, "../../.cache/corpus-60k.jsonl");
const QUERY_PASSAGES = 1000; // at the end of the corpus, in no chunk
const WORDS = 20_000;

export interface Passages {
  readonly name: string;
  readonly passages: readonly string[];
  readonly forQueries: readonly string[];
}

export function readPassages(): Passages {
  if (!existsSync(CORPUS)) return madeUp();
  const all = readFileSync(CORPUS, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as string);
  return {
    name: "real passages",
    passages: all.slice(0, -QUERY_PASSAGES),
    forQueries: all.slice(-QUERY_PASSAGES),
  };
}

/** Sentences of made-up words: a few are frequent and most are rare, as in language. */
function madeUp(): Passages {
  const next = splitmix32(5);
  const words = Array.from({ length: WORDS }, (_, i) =>
    Array.from({ length: 3 + (i % 7) }, () => String.fromCharCode(97 + (next() % 26))).join(""),
  );
  const sentence = () =>
    Array.from({ length: 16 }, () => words[Math.floor(WORDS * (next() / 2 ** 32) ** 4)]!).join(" ");
  return {
    name: "made-up passages",
    passages: Array.from({ length: 60_000 }, sentence),
    forQueries: Array.from({ length: QUERY_PASSAGES }, sentence),
  };
}

/** Queries as people type them: one to six neighbouring words of a passage that is in no chunk. */
export function makeQueries({ forQueries }: Passages, count: number): string[] {
  const next = splitmix32(11);
  return Array.from({ length: count }, (_, i) => {
    const words = forQueries[i % forQueries.length]!.match(/[A-Za-z]{3,}/g) ?? ["search"];
    const length = Math.min(1 + (i % 6), words.length);
    const from = next() % (words.length - length + 1);
    return words.slice(from, from + length).join(" ");
  });
}
