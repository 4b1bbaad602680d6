import type { CharacterSet } from "./character-set.ts";

type Range = readonly [first: number, last: number];

/** The classes of POSIX that git knows, in ASCII. */
const POSIX: ReadonlyMap<string, readonly Range[]> = new Map(
  Object.entries({
    alnum: ["09", "AZ", "az"],
    alpha: ["AZ", "az"],
    blank: ["  ", "\t\t"],
    cntrl: ["\0\x1f", "\x7f\x7f"],
    digit: ["09"],
    graph: ["!~"],
    lower: ["az"],
    print: [" ~"],
    punct: ["!/", ":@", "[`", "{~"],
    space: ["  ", "\t\r"],
    upper: ["AZ"],
    xdigit: ["09", "AF", "af"],
  }).map(([name, ranges]) => [
    name,
    ranges.map((range) => [range.charCodeAt(0), range.charCodeAt(1)] as const),
  ]),
);

/** Reads the `[ ]` that starts at `at`, as git's wildmatch does; null if it has no end or a class that is not known. */
export function readBracket(
  characters: readonly string[],
  at: number,
): { readonly set: CharacterSet; readonly end: number } | null {
  const isNegated = ["!", "^"].includes(characters[at + 1]!);
  let next = at + (isNegated ? 2 : 1);
  const ranges: Range[] = [];
  /** The character before, with which a `-` makes a range. */
  let before: number | null = null;
  do {
    let character = characters[next];
    if (character === undefined) return null;
    const isDash: boolean =
      character === "-" && before !== null && ![undefined, "]"].includes(characters[next + 1]);
    if (isDash) character = characters[++next]!;
    if (!isDash && character === "[" && characters[next + 1] === ":") {
      const end = characters.indexOf("]", next + 2);
      if (end < 0) return null;
      if (end > next + 2 && characters[end - 1] === ":") {
        const named = POSIX.get(characters.slice(next + 2, end - 1).join(""));
        if (named === undefined) return null;
        ranges.push(...named);
        before = null;
        next = end + 1;
        continue;
      }
    }
    if (character === "\\") character = characters[++next];
    if (character === undefined) return null;
    const codePoint = character.codePointAt(0)!;
    if (!isDash) ranges.push([codePoint, codePoint]);
    else if (before! <= codePoint) ranges.push([before!, codePoint]);
    before = isDash ? null : codePoint;
    next++;
  } while (characters[next] !== "]");
  return { set: { isNegated, ranges }, end: next + 1 };
}
