// The pinned Unicode tables against the host's, where the host has the same version. The host is an oracle only: nothing
// in the engine reads it. Lower case is compared through the words of SPEC §6.2, which are all that the engine makes of it.
// They differ from `toLowerCase` on a whole text in two defined ways: a text is decomposed first (İ becomes i, since its
// dot is dropped), and each character is mapped alone (Σ is σ also at the end of a word).
import { describe, expect, it } from "vitest";
import { normalForm } from "#dist/text/canonical.js";
import vectors from "../../test-vectors/text.json" with { type: "json" };
import { loadEngine } from "../engine/load-engine.ts";
import { splitmix32 } from "../reference/prng.ts";
import { combiningClass, MARKS_NEW_IN_17 } from "../reference/unicode.ts";
import { CharacterWords, hostWords } from "./character-words.ts";

const isLong = import.meta.env.MODE === "long";
const SEQUENCES = isLong ? 400_000 : 40_000;
const BATCH = 1000;
const PINNED = vectors.parameters.unicode;
const hasPinned = PINNED.startsWith(`${process.versions["unicode"]}.`);
// The three builds share this code, integers only, and all of them run the vectors. One is enough for every day.
const builds = isLong ? (["simd", "soft", "scalar"] as const) : (["simd"] as const);
const engines = builds.map((build) => [build, loadEngine(build)] as const);

const codePoints: readonly string[] = Array.from({ length: 0x110000 }, (_, c) => c)
  .filter((c) => c < 0xd800 || c > 0xdfff)
  .map((c) => String.fromCodePoint(c));
const matching = (pattern: RegExp) => codePoints.filter((c) => pattern.test(c));
const assigned = matching(/[^\p{Cn}\p{Co}]/u);
const marks = matching(/\p{M}/u);

/** A mark of every class that is not 0. */
const markOfClass = new Map(marks.map((mark) => [combiningClass(mark.codePointAt(0)!), mark]));
markOfClass.delete(0);

const MARKS_NEW = MARKS_NEW_IN_17.map((c) => String.fromCodePoint(c));
const POOLS: readonly (readonly string[])[] = [
  marks,
  marks,
  MARKS_NEW,
  [...markOfClass.values()],
  matching(/\p{Mc}/u).filter((mark) => combiningClass(mark.codePointAt(0)!) !== 0),
  codePoints.filter((c) => c !== c.normalize("NFD") && !/\p{Script=Hangul}/u.test(c)),
  // Each second character of a composition, so that what precedes it can compose.
  [...new Set(codePoints.flatMap((c) => [...c.normalize("NFD")].slice(1)))],
  matching(/\p{Script=Hangul}/u),
  matching(/[\u1100-\u11ff]/u),
  matching(/\p{Changes_When_Lowercased}/u),
  matching(/[ -~]/u),
  matching(/[\p{P}\p{White_Space}\p{Cc}\p{Cf}]/u).filter((c) => c !== "\n"),
  matching(/[^\p{Cn}\p{Co}\n]/u),
];

function randomSequence(next: () => number): string {
  const draw = <T>(list: readonly T[]): T => list[next() % list.length]!;
  return Array.from({ length: 1 + (next() % 16) }, () => draw(draw(POOLS))).join("");
}

function expectLines(texts: readonly string[], got: string, expected: string): void {
  if (got === expected) return;
  const gotLines = got.split("\n");
  const expectedLines = expected.split("\n");
  texts.forEach((text, i) => {
    expect(printed(gotLines[i]!), printed(text)).toBe(printed(expectedLines[i]!));
  });
  expect(gotLines.length).toBe(expectedLines.length);
}

function printed(text: string): string {
  return Array.from(text, (c) => c.codePointAt(0)!.toString(16)).join(" ");
}

describe.skipIf(!hasPinned).each(engines)(
  `the build %s and a host with Unicode ${PINNED} (this one has ${process.versions["unicode"]})`,
  (_, engine) => {
    const words = new CharacterWords(engine, assigned);

    function expectSame(texts: readonly string[]): void {
      for (let at = 0; at < texts.length; at += BATCH) {
        const batch = texts.slice(at, at + BATCH);
        // A line feed keeps its neighbours apart in every form, so one call serves many texts.
        const lines = batch.join("\n");
        expectLines(batch, normalForm(engine, "nfc", lines), lines.normalize("NFC"));
        expectLines(batch, normalForm(engine, "nfd", lines), lines.normalize("NFD"));
        const got = words.of(batch.join(" "));
        const expected = hostWords(batch.join(" "));
        if (got === expected) continue;
        for (const text of batch) expect(words.of(text), printed(text)).toBe(hostWords(text));
        expect(got).toBe(expected);
      }
    }

    it("agree on every code point, alone and between marks", () => {
      // 0345 has the highest class and 0334 the lowest: they change places exactly if what is between them is a mark.
      const between = codePoints.filter((c) => c !== "\n").map((c) => `${c}a\u0345${c}\u0334`);
      expectSame(between);
    });

    it("agree on the class of every mark", () => {
      expect(markOfClass.size).toBe(55);
      expectSame(
        marks.flatMap((mark) => [...markOfClass.values()].flatMap((m) => [`a${mark}${m}`, `a${m}${mark}`])),
      );
    });

    it(`agree on ${SEQUENCES} random sequences`, () => {
      const next = splitmix32(17);
      for (let done = 0; done < SEQUENCES; done += BATCH)
        expectSame(Array.from({ length: BATCH }, () => randomSequence(next)));
    });
  },
);
