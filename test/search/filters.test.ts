import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkFilters } from "#dist/conformance/filters.js";
import { compileFilters } from "#dist/search/filters.js";
import { compileGlob, compileGlobs } from "#dist/search/glob.js";
import { parseInstant } from "#dist/search/instant.js";
import vectors from "../../test-vectors/filters.json" with { type: "json" };
import { allPassed } from "../conformance/all-passed.ts";
import { cpuSeconds } from "../cpu-seconds.ts";
import { BUILDS, loadBuild } from "../engine/engines.ts";
import * as reference from "../reference/filters.ts";
import { generate } from "../reference/filters.vectors.ts";
import { splitmix32 } from "../reference/prng.ts";

const numRuns = import.meta.env.MODE === "long" ? 50_000 : 5_000;

describe("the reference", () => {
  it("gives the committed vectors", () => {
    expect(JSON.parse(JSON.stringify(generate()))).toEqual(vectors);
  });
});

describe.each(BUILDS)("filters by the build %s", (build) => {
  it("pass the vectors", () => {
    const { globs, invalidGlobs, instants, invalidInstants, cases, invalid } = vectors;
    expect(checkFilters(loadBuild(build), vectors)).toMatchObject(
      allPassed(globs, invalidGlobs, instants, invalidInstants, cases, invalid),
    );
  });
});

describe("patterns (SPEC §17.1)", () => {
  const sign = fc.constantFrom(
    "a",
    "b",
    "é",
    "/",
    "/",
    "*",
    "**",
    "/**/",
    "?",
    "[ab]",
    "[!a]",
    "{a,b}",
    "{,/a}",
    "{a/**,b}",
    "\\*",
  );
  const pattern = fc.array(sign, { minLength: 1, maxLength: 7 }).map((signs) => signs.join(""));
  const part = fc.constantFrom("a", "b", "ab", "é", "a*");
  const path = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("/"));

  it("match what the reference matches", () => {
    let matched = 0;
    fc.assert(
      fc.property(pattern, path, (glob, name) => {
        const expected = reference.globMatches(glob, name);
        if (expected) matched++;
        expect(compileGlob(glob).matches(name)).toBe(expected);
      }),
      { numRuns },
    );
    expect(matched).toBeGreaterThan(numRuns / 50);
  });

  it("with every sign escaped match themselves alone", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 1 }),
        fc.string({ minLength: 1 }),
        (name, other) => {
          const glob = compileGlob(Array.from(name, (character) => `\\${character}`).join(""));
          expect(glob.matches(name)).toBe(true);
          expect(glob.matches(other)).toBe(name === other);
        },
      ),
    );
  });

  it("as a list match what one of them matches", () => {
    let matched = 0;
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 12 }), path, (globs, name) => {
        const expected = globs.some((glob) => reference.globMatches(glob, name));
        if (expected) matched++;
        expect(compileGlobs(globs, "globs").matches(name)).toBe(expected);
      }),
      { numRuns: numRuns / 5 },
    );
    expect(matched).toBeGreaterThan(numRuns / 100);
  });

  it("are refused exactly when the reference finds them too large", () => {
    const refused = (globs: string[]): boolean => {
      try {
        compileGlobs(globs, "globs");
        return false;
      } catch {
        return true;
      }
    };
    const braces = fc.array(fc.constantFrom("{a,bc}", "{[a-c],{\\,,}}", "x".repeat(60)), { maxLength: 7 });
    const list = fc.array(
      braces.map((signs) => `?${signs.join("")}`),
      { minLength: 1, maxLength: 64 },
    );
    fc.assert(
      fc.property(list, (globs) => {
        expect(refused(globs)).toBe(reference.globSize(globs) > 4096);
      }),
      { numRuns: numRuns / 50 },
    );
  });

  const letters = "abcdefghijklmnopqrstuvwxyz";
  // Each of 4,096 characters: as many places reached at once as can be, or ever other ones.
  it.each([
    ["exponential in a deterministic automaton", Array(64).fill(`*a${"?".repeat(60)}b`), "ab"],
    ["every place reached", Array(64).fill(`**/*${"?".repeat(59)}`), "a/"],
    ["stars", Array(64).fill(`${"*a".repeat(31)}z`), "ab"],
    ["parts", Array(64).fill(`**/${"*a/".repeat(20)}`), "ab/"],
    ["braces", [`{*,?}{*,?}{*,?}${"*a".repeat(254)}`], "ab"],
    ["ranges", Array(64).fill(`*[${letters.slice(0, 20).split("").join("-z")}]`), letters],
  ])("filter 10,000 paths of 100 characters in less than a second: %s", (_, globs, alphabet) => {
    const next = splitmix32(1);
    const text = Array.from({ length: 10_100 }, () => alphabet[next() % alphabet.length]).join("");
    const paths = Array.from({ length: 10_000 }, (_, i) => text.slice(i, i + 100));
    const seconds = cpuSeconds(() => {
      const glob = compileGlobs(globs, "globs");
      for (const name of paths) glob.matches(name);
    });
    expect(seconds).toBeLessThan(1); // about 0.4 on a machine that does nothing else
  });

  it("are refused at once, however much they stand for", () => {
    const glob = `${"{a,b}".repeat(8)}${"?".repeat(900)}`;
    const look = () =>
      expect(() => compileFilters(loadBuild("simd"), { path: Array(64).fill(glob) })).toThrow(
        /expected filters.path to be patterns of at most 4096 characters/,
      );
    expect(cpuSeconds(look)).toBeLessThan(1);
    const long = () =>
      expect(() => compileFilters(loadBuild("simd"), { path: "x".repeat(100_000_000) })).toThrow(
        /more than 1000 characters/,
      );
    expect(cpuSeconds(long)).toBeLessThan(1);
  });

  it("take time that grows with the path, not with its power", () => {
    const glob = compileGlob(`${"*a".repeat(40)}${"**/".repeat(40)}b`);
    const look = () => expect(glob.matches(`${"a".repeat(20_000)}/c`)).toBe(false);
    expect(cpuSeconds(look)).toBeLessThan(5);
  });
});

describe("dates (SPEC §17.2)", () => {
  it("are those of the host's Date, in the form that all hosts take", () => {
    const date = fc.date({
      min: new Date("0000-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59.999Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (at) => {
        expect(parseInstant(at.toISOString())).toBe(at.getTime());
        expect(parseInstant(at.toISOString().slice(0, 10))).toBe(
          Math.floor(at.getTime() / 86_400_000) * 86_400_000,
        );
      }),
      { numRuns },
    );
  });

  it("equal the reference on anything that looks like one", () => {
    const text = fc.stringMatching(
      /^[0-2]\d{3}-[01]\d-[0-3]\d([T ][0-2]\d:[0-6]\d(:[0-6]\d(\.\d{1,5})?)?(Z|[+-][0-2]\d(:?[0-6]\d)?)?)?$/,
    );
    fc.assert(
      fc.property(text, (each) => {
        expect(parseInstant(each)).toBe(reference.instant(each));
      }),
      { numRuns },
    );
  });
});

describe("filters", () => {
  const engine = loadBuild("simd");

  it("know what they look at", () => {
    expect(compileFilters(engine, { path: "*", contains: "x" }).usesMetadata).toBe(false);
    expect(compileFilters(engine, { mime: "text/*" }).usesMetadata).toBe(true);
    expect(compileFilters(engine, { modifiedAfter: 0 }).usesMetadata).toBe(true);
    expect(compileFilters(engine, { metadata: {} }).usesMetadata).toBe(true);
  });

  it("have one canonical form", () => {
    expect(
      compileFilters(engine, {
        path: "cafe\u0301/*",
        mime: "Text/Markdown; charset=utf-8",
        modifiedAfter: "1970-01-01T00:00:01",
        modifiedBefore: -0,
        contains: "a\r\nb\n",
        metadata: { year: 2024 },
      }).canonical,
    ).toEqual({
      path: ["café/*"],
      mime: ["text/markdown"],
      modifiedAfter: 1000,
      modifiedBefore: 0,
      contains: "a\nb",
      metadata: { year: [2024] },
    });
  });

  it("do not read a text that another filter has ruled out", () => {
    const document = {
      path: "a",
      mime: null,
      modifiedAt: null,
      metadata: null,
      text: () => expect.fail("read"),
    };
    expect(compileFilters(engine, { contains: "x", path: "b" }).matches(document)).toBe(false);
  });
});
