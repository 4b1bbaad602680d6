/**
 * SPEC.md and the code point at each other: every citation finds its section, every section names its code and its
 * vectors, and the code that a section names cites it.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const spec = readFileSync(join(root, "SPEC.md"), "utf8");

interface Section {
  readonly number: string;
  readonly title: string;
  readonly body: string;
}

function sections(): Section[] {
  const parts = spec.split(/^#{2,4} (?=\d)/m).slice(1);
  return parts.map((part) => {
    const heading = part.slice(0, part.indexOf("\n"));
    const [number = "", ...title] = heading.split(" ");
    return { number, title: title.join(" "), body: part.slice(heading.length).trim() };
  });
}

/** The section numbers that a text cites: "SPEC §5.2", "SPEC §2, §3", "SPEC §2 and §3". */
function cited(text: string): string[] {
  const lists = text.matchAll(/SPEC (§\d+(?:\.\d+)*(?:(?:, | and |–)§\d+(?:\.\d+)*)*)/g);
  return [...lists].flatMap(([, list]) => numbers(list!));
}

function numbers(text: string): string[] {
  return [...text.matchAll(/§(\d+(?:\.\d+)*)/g)].map(([, number]) => number!);
}

function filesUnder(folder: string, pattern: RegExp): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((name) => pattern.test(name) && !name.includes("node_modules"));
}

const all = sections();
const known = new Set(all.map(({ number }) => number));
const leaves = all.filter(({ number }) => !all.some((other) => other.number.startsWith(`${number}.`)));
const code = ["assembly", "src", "test", "bench", "scripts", "examples"].flatMap((folder) =>
  filesUnder(folder, /\.(ts|mts|mjs|js|tsx|py)$/),
);
const citations = code.flatMap((file) =>
  cited(readFileSync(join(root, file), "utf8")).map((section) => ({ file, section })),
);

/** `Code: … Vectors: ….`, the last paragraph of a section: the files that each half names, or "none" and why. */
function closing({ body }: Section): { code: string; vectors: string } | null {
  const match = /^Code: ([\s\S]+?)\s+Vectors: ([\s\S]+)$/.exec(body.split(/\n\s*\n/).at(-1)!);
  return match === null ? null : { code: match[1]!, vectors: match[2]! };
}

const paths = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, path]) => path!);

describe("citations", () => {
  it("are found in code", () => {
    expect(citations.length).toBeGreaterThan(20);
  });

  it("of code resolve to a section", () => {
    expect(citations.filter(({ section }) => !known.has(section))).toEqual([]);
  });

  it("of vector files resolve to a section", () => {
    for (const file of filesUnder("test-vectors", /\.json$/)) {
      const vectors = JSON.parse(readFileSync(join(root, file), "utf8")) as { spec?: string };
      const found = cited(vectors.spec ?? "");
      expect(found, `${file} cites its section`).not.toEqual([]);
      expect(
        found.filter((section) => !known.has(section)),
        file,
      ).toEqual([]);
    }
  });

  it("inside SPEC.md resolve to a section", () => {
    expect(numbers(spec).filter((section) => !known.has(section))).toEqual([]);
  });

  it("are written as SPEC and §, one space between", () => {
    const malformed = code.filter((file) =>
      /SPEC(?! §\d)\s*§|SPEC\.md §|spec §/.test(readFileSync(join(root, file), "utf8")),
    );
    expect(malformed.filter((file) => file !== join("test", "repository", "spec.test.ts"))).toEqual([]);
  });
});

describe("sections", () => {
  it("have numbers that are theirs alone, in order", () => {
    expect(known.size).toBe(all.length);
    const key = (number: string) =>
      number
        .split(".")
        .map((part) => part.padStart(3, "0"))
        .join(".");
    const keys = all.map(({ number }) => key(number));
    expect(keys).toEqual([...keys].sort());
  });

  it.each(leaves)("$number $title names its code and its vectors", (section) => {
    const end = closing(section);
    expect(end, "the last paragraph is `Code: … Vectors: ….`").not.toBeNull();
    for (const half of [end!.code, end!.vectors]) {
      const named = paths(half);
      if (half.startsWith("none")) expect(half).toMatch(/^none, .{8,}/);
      else expect(named).not.toEqual([]);
      for (const path of named) expect(existsSync(join(root, path)), `${path} exists`).toBe(true);
    }
    expect(section.body.length, "it says something before that").toBeGreaterThan(
      end!.code.length + end!.vectors.length + 40,
    );
  });

  // A file may cite the section itself, or the one above it when it serves several of its parts.
  it.each(leaves)("$number $title is cited by the code that it names", (section) => {
    const above = section.number.slice(0, section.number.lastIndexOf("."));
    for (const path of paths(closing(section)?.code ?? "").filter((file) => /\.m?[tj]s$/.test(file))) {
      const found = citations.filter(({ file }) => file === join(path)).map((citation) => citation.section);
      expect(
        found.some((number) => number === section.number || number === above),
        `${path} cites §${section.number}`,
      ).toBe(true);
    }
  });
});
