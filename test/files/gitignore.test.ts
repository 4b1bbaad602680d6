import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import ignore from "ignore";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GitIgnore } from "#dist/files/gitignore.js";
import { IgnoreRules } from "#dist/files/ignore-rules.node.js";
import { cpuSeconds } from "../cpu-seconds.ts";

const isLong = import.meta.env.MODE === "long";
const FOLDERS = ["a", "b", "ab"];
const FILES = ["c", "ab.c", "b c", "[a]", "a-c", "#c", "!c", "a\\c"];

/** Every folder has these folders, to three levels, and these files. */
const TREE: { path: string; isFolder: boolean }[] = [];
const grow = (folder: string, depth: number): void => {
  for (const name of FILES) TREE.push({ path: folder + name, isFolder: false });
  for (const name of depth < 3 ? FOLDERS : []) {
    TREE.push({ path: folder + name, isFolder: true });
    grow(`${folder}${name}/`, depth + 1);
  }
};
grow("", 0);

const sign = fc.constantFrom(
  ..."aabbc/// !#\\*?.",
  "**",
  "/**",
  "**/",
  "***",
  "\\ ",
  "[ab]",
  "[!a]",
  "[^b-]",
  "[a-c]",
  "[]a]",
  "[[:alpha:]]",
  "[[:punct:][:space:]]",
  "[[:none:]a]",
  "[\\]a]",
  "[a/c]",
  "[c-a]",
  "[",
);
const line = fc.array(sign, { minLength: 1, maxLength: 6 }).map((signs) => signs.join(""));
const lines = fc.array(line, { minLength: 1, maxLength: 5 }).map((each) => each.join("\n"));

const hasGit = spawnSync("git", ["--version"]).status === 0;

describe.runIf(hasGit)("rules of .gitignore", () => {
  let root: string;
  const git = (args: string[], input = ""): string => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_SYSTEM: devNull };
    const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, input, env, encoding: "utf8" });
    if (status !== 0 && status !== 1) throw new Error(stderr);
    return stdout;
  };
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "selfsame-gitignore-"));
    git(["init", "-q"]);
    git(["config", "core.ignoreCase", "false"]);
    for (const { path, isFolder } of TREE) if (isFolder) mkdirSync(join(root, path));
    for (const { path, isFolder } of TREE) if (!isFolder) writeFileSync(join(root, path), "");
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const ignoredByGit = (): string[] => {
    // A colon or a bang at the start would be magic of a pathspec.
    const input = TREE.map(({ path }) => `./${path}\0`).join("");
    const out = git(["check-ignore", "--no-index", "-z", "--stdin"], input);
    return out.split("\0").flatMap((path) => (path === "" ? [] : [path.slice(2)]));
  };
  const ignoredByUs = (): string[] => {
    const rules = new IgnoreRules(root, "");
    return TREE.flatMap(({ path, isFolder }) => (rules.ignores(path, isFolder) ? [path] : []));
  };

  it("leave out what git leaves out", () => {
    let some = 0;
    fc.assert(
      fc.property(lines, fc.option(lines), fc.constantFrom("\n", "\r\n"), (above, below, end) => {
        const withEnds = (text: string): string => `${text.split("\n").join(end)}${end}`;
        writeFileSync(join(root, ".gitignore"), withEnds(above));
        rmSync(join(root, "a/.gitignore"), { force: true });
        if (below !== null) writeFileSync(join(root, "a/.gitignore"), withEnds(below));
        const expected = ignoredByGit();
        if (expected.length > 0 && expected.length < TREE.length) some++;
        expect(ignoredByUs()).toEqual(expected);
      }),
      {
        numRuns: isLong ? 5000 : 150,
        examples: [
          ["a**/**/***", null, "\n"],
          ["a**/**/b\n!foo**/c", null, "\n"],
        ],
      },
    );
    expect(some).toBeGreaterThan(75);
  });
});

describe("a .gitignore file", () => {
  const ours = (text: string): string[] =>
    TREE.flatMap(({ path, isFolder }) => (GitIgnore.parse(text)!.verdict(path, isFolder) ? [path] : []));

  it("of common rules leaves out what the package `ignore` does", () => {
    const name = fc.constantFrom("a", "b", "ab", "*", "*.c", "a*", "?", "[ab]", "c");
    const rule = fc
      .tuple(
        fc.constantFrom("", "!"),
        fc.constantFrom("", "/", "**/", "a/", "a/**/"),
        name,
        fc.constantFrom("", "/"),
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.array(rule, { minLength: 1, maxLength: 6 }), (rules) => {
        const oracle = ignore({ ignorecase: false }).add(rules);
        // The package looks at the folders above a path, too. So does a walk, which does not enter them.
        const parsed = GitIgnore.parse(rules.join("\n"))!;
        const isOut = (path: string, isFolder: boolean): boolean => {
          const slash = path.lastIndexOf("/");
          if (slash > 0 && isOut(path.slice(0, slash), true)) return true;
          return parsed.verdict(path, isFolder) === true;
        };
        const expected = TREE.filter(({ path, isFolder }) => oracle.ignores(isFolder ? `${path}/` : path));
        expect(TREE.filter(({ path, isFolder }) => isOut(path, isFolder))).toEqual(expected);
      }),
      { numRuns: isLong ? 3000 : 300 },
    );
  });

  it("may start with a byte order mark, and end without a line feed", () => {
    expect(ours("\ufeffa\n*.c")).toEqual(ours("a\n*.c\n"));
    expect(ours("# only a comment\n\n   \n")).toEqual([]);
  });

  it("has signs for characters, not for bytes, and case counts", () => {
    const rules = GitIgnore.parse("?.md\n[é-ü]x\nREADME\n")!;
    expect(
      ["é.md", "😀.md", "öx", "README", "readme", "ab.md"].map((path) => rules.verdict(path, false)),
    ).toEqual([true, true, true, true, null, null]);
  });

  it("takes time that grows with rules and path, whatever they are", () => {
    const path = `${"a/".repeat(1000)}${"a".repeat(1000)}`;
    const hostile = [
      `${"**/".repeat(300)}b`,
      `${"**/a".repeat(200)}b`,
      `${"*a".repeat(400)}b`,
      `x/${"**/*a*/".repeat(100)}b`,
      `${"a/**/".repeat(150)}b`,
    ];
    const seconds = cpuSeconds(() => {
      const rules = GitIgnore.parse(hostile.join("\n"))!;
      for (let i = 0; i < 20; i++) expect(rules.verdict(path, false)).toBeNull();
    });
    expect(seconds).toBeLessThan(2);
  });

  it("of 256 KB of rules is fast enough to be stopped", () => {
    const text = Array.from({ length: 2600 }, (_, i) => `**/*${i}*a${"?".repeat(90)}`).join("\n");
    const rules = GitIgnore.parse(text)!;
    const path = "1a234a567a89a/".repeat(14);
    expect(cpuSeconds(() => rules.verdict(path, false))).toBeLessThan(0.5);
  });

  it("with a line longer than 1,024 characters is refused, since what it leaves out is not known", () => {
    expect(GitIgnore.parse(`a\n${"?".repeat(1024)}`)).not.toBeNull();
    expect(GitIgnore.parse(`a\n${"?".repeat(1025)}`)).toBeNull();
  });
});
