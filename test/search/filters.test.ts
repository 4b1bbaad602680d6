import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkFilters } from "#dist/conformance/filters.js";
import { compileFilters } from "#dist/search/filters.js";
import { compileGlob } from "#dist/search/glob.js";
import { parseInstant } from "#dist/search/instant.js";
import vectors from "../../test-vectors/filters.json" with { type: "json" };
import { cpuSeconds } from "../cpu-seconds.ts";
import { BUILDS, loadBuild } from "../engine/engines.ts";
import * as reference from "../reference/filters.ts";
import { generate } from "../reference/filters.vectors.ts";

const numRuns = import.meta.env.MODE === "long" ? 50_000 : 5_000;

describe("the reference", () => {
  it("gives the committed vectors", () => {
    expect(JSON.parse(JSON.stringify(generate()))).toEqual(vectors);
  });
});

describe.each(BUILDS)("filters by the build %s", (build) => {
  it("pass the vectors", () => {
    expect(checkFilters(loadBuild(build), vectors)).toMatchObject({ firstMismatch: null });
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
