// Documents to index: real passages put together to Markdown files with headings and paragraphs.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { splitmix32 } from "../../test/reference/prng.ts";
import { corpus } from "../corpus.ts";

const ROOT = join(import.meta.dirname, "../..");
const OWN = ["README.md", "ARCHITECTURE.md", "SPEC.md", "CHANGELOG.md"];

export interface BenchDocument {
  readonly path: string;
  readonly text: string;
}

/** Passages of the corpus that bench/corpus.ts makes; without it, the lines of the project's own documents. */
export function passages(): { name: string; list: string[] } {
  if (existsSync(join(ROOT, ".cache/corpus-60k.jsonl")))
    return { name: "60,000 passages", list: corpus().passages };
  const lines = OWN.flatMap((file) => readFileSync(join(ROOT, file), "utf8").split("\n"));
  return {
    name: "the project's own documents, repeated with changes",
    list: Array.from({ length: 60_000 }, (_, i) => `${lines[i % lines.length]!} ${i}`),
  };
}

/** Files of a few sections, each of a few paragraphs, each of a few passages: chunks of every size. */
export function documents(list: readonly string[]): BenchDocument[] {
  const next = splitmix32(7);
  const between = (low: number, high: number) => low + (next() % (high - low + 1));
  const out: BenchDocument[] = [];
  for (let at = 0; at < list.length; ) {
    const lines = [`# ${title(list[at]!)}`];
    for (let sections = between(2, 8); sections > 0 && at < list.length; sections--) {
      lines.push("", `## ${title(list[at]!)}`);
      for (let paragraphs = between(1, 4); paragraphs > 0 && at < list.length; paragraphs--) {
        const count = between(1, 8);
        lines.push("", list.slice(at, at + count).join(" "));
        at += count;
      }
    }
    const number = out.length;
    out.push({ path: `${number % 20}/${number}.md`, text: `${lines.join("\n")}\n` });
  }
  return out;
}

/** Files of 50 sections with one passage each: as many chunks as there are passages, until there are `count`. */
export function smallSections(list: readonly string[], count: number): BenchDocument[] {
  const SECTIONS = 50;
  return Array.from({ length: count / SECTIONS }, (_, file) => {
    const sections = Array.from({ length: SECTIONS }, (_, i) => {
      const number = file * SECTIONS + i;
      return `## ${number}\n\n${list[number % list.length]!}`;
    });
    return { path: `${file % 20}/${file}.md`, text: `${sections.join("\n\n")}\n` };
  });
}

function title(passage: string): string {
  return passage.split(" ").slice(0, 4).join(" ");
}
