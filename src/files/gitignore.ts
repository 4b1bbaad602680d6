import { ANY_BUT_SLASH, SLASH } from "./character-set.ts";
import { readBracket } from "./gitignore-bracket.ts";
import { PathAutomaton, type PathSign } from "./path-automaton.ts";

/** Rules are run in groups of about so many characters: a group is one automaton. */
const GROUP_LENGTH = 1024;
/** The longest line. A path can hardly be longer, so no longer line is of use. */
const LINE_MAX = 1024;

interface Rule {
  /** Starts with `!`: takes in again what a rule above it left out. */
  readonly isNegated: boolean;
  /** Ends in `/`: for folders alone. */
  readonly isForFolders: boolean;
}

interface Group {
  readonly automaton: PathAutomaton;
  /** The rule of each of its patterns. */
  readonly rules: readonly Rule[];
}

/**
 * The rules of one .gitignore file, as git reads them, with three differences: a sign stands for a character and not for a
 * byte, case always counts (git's core.ignoreCase is off), and a line has at most 1,024 characters.
 */
export class GitIgnore {
  /** The last rules first: of all rules that match, the last one decides. */
  readonly #groups: readonly Group[];

  private constructor(groups: readonly Group[]) {
    this.#groups = groups;
  }

  /** Returns null if a line is too long. */
  static parse(text: string): GitIgnore | null {
    const groups: Group[] = [];
    let patterns: PathSign[][] = [];
    let rules: Rule[] = [];
    let length = 0;
    const close = (): void => {
      if (patterns.length > 0) groups.unshift({ automaton: new PathAutomaton(patterns), rules });
      [patterns, rules, length] = [[], [], 0];
    };
    for (const line of text.replace(/^\ufeff/, "").split("\n")) {
      if (line.length > LINE_MAX) return null;
      const rule = readLine(line.replace(/\r$/, ""));
      for (const signs of rule?.patterns ?? []) {
        patterns.push(signs);
        rules.push(rule!);
        length += signs.length;
      }
      if (length >= GROUP_LENGTH) close();
    }
    close();
    return new GitIgnore(groups);
  }

  /**
   * Whether the rules leave a path out (true) or take it in (false); null if none of them is about it.
   *
   * @param path relative to the folder of the .gitignore
   */
  verdict(path: string, isFolder: boolean): boolean | null {
    for (const { automaton, rules } of this.#groups) {
      const match = automaton.lastMatch(path, (pattern) => isFolder || !rules[pattern]!.isForFolders);
      if (match >= 0) return !rules[match]!.isNegated;
    }
    return null;
  }
}

/** The rule of a line; null if it has none, or one that cannot match. */
function readLine(line: string): (Rule & { readonly patterns: PathSign[][] }) | null {
  let text = withoutTrailingSpaces(line);
  if (text.startsWith("#")) return null;
  const isNegated = text.startsWith("!");
  if (isNegated) text = text.slice(1);
  const isForFolders = text.endsWith("/");
  if (isForFolders) text = text.slice(0, -1);
  // A pattern with a slash is relative to the folder of the file. One without matches names at any depth.
  const isPath = text.includes("/");
  if (isPath && text.startsWith("/")) text = text.slice(1);
  const patterns = text === "" ? null : readPattern(Array.from(text), isPath);
  if (patterns === null) return null;
  const anywhere: PathSign[] = isPath ? [] : [{ kind: "parts" }];
  return { isNegated, isForFolders, patterns: patterns.map((signs) => [...anywhere, ...signs]) };
}

/** Without the spaces at its end, but for one after a `\`. */
function withoutTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    const isEscape = line[at] === "\\";
    if (isEscape) at++;
    if (isEscape || line[at] !== " ") end = at + 1;
  }
  return line.slice(0, end);
}

/** What the characters of a pattern match: one list of signs, or two of which one must match. Null if nothing does. */
function readPattern(characters: readonly string[], isPath: boolean): PathSign[][] | null {
  const signs: PathSign[] = [];
  /** Where a row of stars follows plain characters that are no whole part; see below. */
  let fork: number | null = null;
  let isPlain = true;
  for (let at = 0; at < characters.length; ) {
    const character = characters[at]!;
    if (character === "*") {
      const before = characters[at - 1];
      const start = at;
      while (characters[at] === "*") at++;
      const isPartStart = before === undefined || before === "/";
      // git compares the plain characters at the start of a pattern first, and takes what follows for its start.
      const isWide = isPath && at - start > 1 && (isPartStart || isPlain);
      if (!isWide) signs.push({ kind: "star" });
      else if (characters[at] === "/") {
        if (isPartStart) signs.push({ kind: "parts" });
        else fork = signs.length;
        at++;
      } else if (at === characters.length || (characters[at] === "\\" && characters[at + 1] === "/"))
        signs.push({ kind: "text" });
      else signs.push({ kind: "star" });
      isPlain = false;
    } else if (character === "?") {
      signs.push({ kind: "set", set: ANY_BUT_SLASH });
      isPlain = false;
      at++;
    } else if (character === "[") {
      const bracket = readBracket(characters, at);
      if (bracket === null) return null;
      signs.push({ kind: "set", set: bracket.set });
      isPlain = false;
      at = bracket.end;
    } else {
      const isEscape = character === "\\";
      if (isEscape) isPlain = false;
      const literal = isEscape ? characters[at + 1] : character;
      if (literal === undefined) return null;
      signs.push({ kind: "character", codePoint: literal.codePointAt(0)! });
      at += isEscape ? 2 : 1;
    }
  }
  if (fork === null) return [signs];
  const before = signs.slice(0, fork);
  const after = signs.slice(fork);
  const slash: PathSign = { kind: "character", codePoint: SLASH };
  // A `parts` needs a slash before it. What it would match here is in the second list.
  const next = after.findIndex(({ kind }) => kind !== "parts");
  return [
    [...before, ...(next < 0 ? [] : after.slice(next))],
    [...before, { kind: "text" }, slash, ...after],
  ];
}
