import { describeValue } from "../errors/describe-value.ts";
import { hasLoneSurrogate } from "../text/lone-surrogate.ts";

/** A single value of front matter. A date is a string. */
export type Scalar = string | number | boolean | null;

/** Front matter that is not read, with the line of the file. */
export class FrontMatterFault extends Error {
  constructor(line: number, expected: string, got: string) {
    super(`line ${line}: expected ${expected}, got ${describeValue(got)}`);
  }
}

/** The words of YAML's core schema. */
const WORDS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ...["~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);
const NUMBER = /^(?:0x[0-9a-fA-F]+|0o[0-7]+|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)$/;
/** `&` and `*` (anchors and aliases), `!` (tags), and other signs that YAML gives a meaning at the start of a value. */
const SIGNS = /^(?:[&*!|>%@`{}[\],#]|[-?:](?: |$))/;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["0", "\0"],
  ["a", "\x07"],
  ["b", "\b"],
  ["t", "\t"],
  ["n", "\n"],
  ["v", "\v"],
  ["f", "\f"],
  ["r", "\r"],
  ["e", "\x1b"],
  [" ", " "],
  ['"', '"'],
  ["/", "/"],
  ["\\", "\\"],
  ["N", "\x85"],
  ["_", "\xa0"],
  ["L", "\u2028"],
  ["P", "\u2029"],
]);

/** Whether a text that is not quoted starts with a sign that YAML gives a meaning there. */
export function isSign(text: string): boolean {
  return SIGNS.test(text);
}

/** Reads a value on one line, which may end in a comment. */
export function readScalar(text: string, line: number): Scalar {
  if (text.startsWith('"') || text.startsWith("'")) return readQuoted(text, line);
  const comment = text.indexOf(" #");
  const plain = (comment < 0 ? text : text.slice(0, comment)).trimEnd();
  if (isSign(plain) || /: |:$/.test(plain))
    throw new FrontMatterFault(line, "a plain value, or one in quotes", text);
  const word = WORDS.get(plain);
  if (word !== undefined) return word;
  if (!NUMBER.test(plain)) return plain;
  const number = Number(plain);
  const isWhole = !/[.eE]/.test(plain) || plain.startsWith("0x");
  // What binary64 cannot hold stays as it is written.
  return (isWhole ? Number.isSafeInteger(number) : Number.isFinite(number)) ? number + 0 : plain;
}

function readQuoted(text: string, line: number): string {
  const quote = text[0]!;
  const found = (quote === '"' ? /^"((?:[^"\\]|\\.)*)"(?: +#.*)?$/ : /^'((?:[^']|'')*)'(?: +#.*)?$/).exec(
    text,
  );
  if (found === null) throw new FrontMatterFault(line, `a closing ${quote} at the end of the line`, text);
  const value =
    quote === "'"
      ? found[1]!.replaceAll("''", "'")
      : found[1]!.replace(
          /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/g,
          (all, x, u, long, sign) => {
            const code = Number.parseInt(x ?? u ?? long ?? "", 16);
            const character = Number.isNaN(code)
              ? ESCAPES.get(sign)
              : code <= 0x10ffff
                ? String.fromCodePoint(code)
                : undefined;
            if (character === undefined) throw new FrontMatterFault(line, "an escape of YAML", all);
            return character;
          },
        );
  if (hasLoneSurrogate(value)) throw new FrontMatterFault(line, "no lone surrogate", text);
  return value;
}
