/** The names of namespaces and of their folders: SPEC §22.1. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkNamespace, decodeNamespace, encodeNamespace } from "#dist/namespaces/names.js";

const CHARACTERS = [..."ABCXYZabcxyz0129._:-"];
const names = fc
  .array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 64 })
  .map((characters) => characters.join(""))
  .filter((name) => !name.startsWith("."));
const devices = fc
  .tuple(
    fc.constantFrom("con", "PRN", "aux", "Nul", "com1", "LPT9", "com0"),
    fc.constantFrom("", ".", ".txt", "x", ":"),
  )
  .map((parts) => parts.join(""));

describe("the folder of a namespace", () => {
  it("leads back to the name, and to no other, even where case is lost", () => {
    fc.assert(
      fc.property(fc.oneof(names, devices), fc.oneof(names, devices), (one, other) => {
        expect(decodeNamespace(encodeNamespace(one))).toBe(one);
        if (one !== other)
          expect(encodeNamespace(one).toLowerCase()).not.toBe(encodeNamespace(other).toLowerCase());
      }),
    );
  });

  it("has a name that Windows keeps: plain characters, no device, no dot or space at its end", () => {
    fc.assert(
      fc.property(fc.oneof(names, devices), (name) => {
        const folder = encodeNamespace(name);
        expect(folder).toMatch(/^[a-z0-9._=-]{1,192}$/);
        expect(folder).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/);
        expect(folder).not.toMatch(/^\.|\.$/);
      }),
    );
  });

  it("is as SPEC shows it", () => {
    const cases = {
      notes: "notes",
      Notes: "=4eotes",
      "a:b": "a=3ab",
      nul: "=6eul",
      "com1.x": "=63om1.x",
      "v1.": "v1=2e",
    };
    for (const [name, folder] of Object.entries(cases)) expect(encodeNamespace(name)).toBe(folder);
  });

  it("is of no namespace if it is written in another way", () => {
    for (const folder of [
      "",
      ".x",
      "Notes",
      "a=3Ab",
      "=6eotes",
      "nul",
      "a=2f",
      "..",
      "a=",
      "a b",
      "x".repeat(65),
    ])
      expect(decodeNamespace(folder)).toBeNull();
  });
});

describe("the name of a namespace", () => {
  it("is refused with BAD_NAMESPACE if it could be a path, or anything but a short plain name", () => {
    const bad = [
      "",
      ".",
      "..",
      ".hidden",
      "a/b",
      "a\\b",
      "a b",
      "ä",
      "x".repeat(65),
      "a\0",
      "a\n",
      "%2e",
      "=",
      null,
      7,
      {},
    ];
    for (const name of bad)
      expect(() => checkNamespace(name as string)).toThrow(
        expect.objectContaining({ code: "BAD_NAMESPACE" }),
      );
    for (const name of ["a", "A.b_c:d-e", "-", "__proto__", "constructor", "x".repeat(64)])
      expect(checkNamespace(name)).toBe(name);
  });
});
