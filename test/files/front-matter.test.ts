import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { FrontMatterFault, readFrontMatter } from "#dist/files/front-matter.js";
import { cpuSeconds } from "../cpu-seconds.ts";

const isLong = import.meta.env.MODE === "long";
const read = (text: string) => readFrontMatter(new TextEncoder().encode(text));
const between = (yaml: string) => read(`---\n${yaml}\n---\n# Text\n`);

describe("front matter", () => {
  it("has scalars, lists and objects of them", () => {
    expect(
      between(
        `# a comment
title: "Ties: \\u00e9\\n" # another
author: 'O''Brien'
draft: false
year: 2026
weight: -1.5e3
date: 2026-02-17
time: 12:30:45
empty:
none: ~
tags: [alpha, "b, c", 3, true, 'd']
nothing: []
list:
- one
- "two"
-
  # a comment in between
- 3
more:
  - a: b`.replace("  - a: b", "  - a:b"),
      ),
    ).toEqual({
      title: "Ties: é\n",
      author: "O'Brien",
      draft: false,
      year: 2026,
      weight: -1500,
      date: "2026-02-17",
      time: "12:30:45",
      empty: null,
      none: null,
      tags: ["alpha", "b, c", 3, true, "d"],
      nothing: [],
      list: ["one", "two", null, 3],
      more: ["a:b"],
    });
  });

  it("has one level of objects, texts of several lines, and any keys", () => {
    expect(
      between(`params:
    depth: 2
    "a b": [x]
    names:
      - y
folded: >-
  one
  two

  three
kept: |
  a
    b
plain: goes on
  in the next line
日本: ja
__proto__: own
toString: 1`),
    ).toEqual(
      Object.fromEntries([
        ["params", { depth: 2, "a b": ["x"], names: ["y"] }],
        ["folded", "one two\nthree"],
        ["kept", "a\n  b\n"],
        ["plain", "goes on in the next line"],
        ["日本", "ja"],
        ["__proto__", "own"],
        ["toString", 1],
      ]),
    );
  });

  it("is between two lines of marks at the very start, or not there", () => {
    expect(read("---\na: 1\n...\ntext")).toEqual({ a: 1 });
    expect(read("\ufeff---  \r\na: 1\r\n---\r\n")).toEqual({ a: 1 });
    expect(read("---\n---\n")).toEqual({});
    for (const text of [
      "",
      "a: 1\n",
      "\n---\na: 1\n---\n",
      "---\na: 1\n",
      "--- \n",
      "+++\na = 1\n+++\n",
      "----\na: 1\n---\n",
    ])
      expect(read(text), text).toBeNull();
    expect(read(`---\na: ${"x".repeat(64 << 10)}\n---\n`)).toBeNull();
  });

  it.each([
    ["anchors", "a: &x 1"],
    ["aliases", "a: 1\nb: *x"],
    ["a bomb", `a: &a ["x","x"]\nb: &b [*a,*a]\nc: &c [*b,*b]`],
    ["merge keys", "<<: *x"],
    ["tags", "a: !!js/function 'x'"],
    ["objects in [ ]", "a: [{b: 1}]"],
    ["lists in lists", "a:\n  - - b"],
    ["lists in [ ]", "a: [[b]]"],
    ["objects in { }", "a: {b: 1}"],
    ["objects in lists", "a:\n  - b: 1"],
    ["objects two deep", "a:\n  b:\n    c: 1"],
    ["keys twice", "a: 1\na: 2"],
    ["text without a key", "Hello, world"],
    ["a list alone", "- a"],
    ["a quote without end", 'a: "b'],
    ["a list without end", "a: [b"],
    ["an escape that is none", 'a: "\\q"'],
    ["a lone surrogate", 'a: "\\ud800"'],
    ["a tab for indentation", "a:\n\tb: 1"],
    ["complex keys", "? a\n: b"],
    ["a second document", "a: 1\n--- \nb: 2".replace("--- ", "%YAML 1.2")],
    ["indentation of nothing", "a: 1\n  b: 2"],
  ])("refuses %s, with the line", (_, yaml) => {
    expect(() => between(yaml)).toThrow(FrontMatterFault);
    expect(() => between(yaml)).toThrow(/^line [0-9]+: expected .*, got /);
  });

  const scalar = fc.oneof(
    fc.constantFrom(
      "a",
      "a b",
      "1",
      "-2.50",
      "0x1F",
      "0o17",
      ".5",
      "1e3",
      "true",
      "null",
      "~",
      "No",
      "2026-02-17",
      "007",
    ),
    fc.constantFrom(
      '"q"',
      '"\\t\\x41"',
      "'it''s'",
      "x#y",
      "x #y",
      "a:b",
      "- x",
      "-x",
      "[",
      "",
      "&a",
      "12:30",
      "é",
      "+1",
      "1_000",
    ),
    fc.string({ unit: fc.constantFrom(..."ab01:#-'\"[]{},&*!|>%@ \\.?~"), maxLength: 8 }),
  );
  const list = fc.array(scalar, { maxLength: 4 });
  const value = fc.oneof(
    scalar,
    list.map((items) => `[${items.join(", ")}]`),
    list.map((items) => items.map((item) => `\n  - ${item}`).join("")),
    list.map((items) => items.map((item) => `\n- ${item}`).join("")),
    fc.tuple(scalar, scalar).map(([one, other]) => `\n  k: ${one}\n  l: ${other}`),
    fc
      .tuple(fc.constantFrom("|", ">", "|-", ">-", "|+", ">+"), list)
      .map(([sign, items]) => `${sign}${items.map((item) => `\n  ${item}`).join("")}`),
    fc.tuple(scalar, scalar).map(([one, other]) => `${one}\n  ${other}`),
  );
  const yaml = fc
    .array(fc.tuple(fc.constantFrom("a", "b", "c d", '"e"', "f"), value), { minLength: 1, maxLength: 4 })
    .map((members) =>
      members
        .map(([key, text]) => `${key}: ${text}`)
        .join("\n")
        .replace(/ +$/gm, ""),
    );

  it("means what it means to a whole reader of YAML, where it is read at all", () => {
    let count = 0;
    fc.assert(
      fc.property(yaml, (text) => {
        let ours: unknown;
        try {
          ours = between(text);
        } catch (error) {
          expect(error).toBeInstanceOf(FrontMatterFault);
          return;
        }
        count++;
        const theirs = parse(text, { schema: "core", logLevel: "error" }) ?? {};
        expect(ours).toEqual(JSON.parse(JSON.stringify(theirs))); // JSON has no -0
      }),
      { numRuns: isLong ? 100_000 : 5000 },
    );
    expect(count).toBeGreaterThan(isLong ? 10_000 : 500);
  });

  it("of any bytes is read or refused, in time that grows with its length", () => {
    const signs = fc.constantFrom(..." \t\n-:#\"'[]{},|>\\a1\r");
    fc.assert(
      fc.property(fc.string({ unit: signs, maxLength: 60 }), (text) => {
        try {
          between(text);
        } catch (error) {
          expect(error).toBeInstanceOf(FrontMatterFault);
        }
      }),
      { numRuns: isLong ? 100_000 : 5000 },
    );
    for (const unit of [
      " ",
      "a ",
      "[",
      '"',
      '\\"',
      "'",
      ",",
      "a, ",
      ": ",
      "#",
      " #",
      "\n",
      "a\n",
      "- ",
      "\n- a",
      "\n  a",
      "\t",
    ]) {
      for (const start of ["a: ", 'a: "', "a: [", "a: |\n ", "a:\n", ""]) {
        const text = `---\n${start}${unit.repeat(60_000 / unit.length)}x\n---\n`;
        const seconds = cpuSeconds(() => {
          try {
            read(text);
          } catch (error) {
            expect(error).toBeInstanceOf(FrontMatterFault);
          }
        });
        expect(seconds, JSON.stringify([start, unit])).toBeLessThan(0.5);
      }
    }
  });
});
