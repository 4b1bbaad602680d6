import { describeValue } from "../errors/describe-value.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { SLASH } from "../files/character-set.ts";
import { PathAutomaton, type PathSign } from "../files/path-automaton.ts";
import { LENGTH_MAX, type Node, parseGlob, type Sign } from "./glob-pattern.ts";

/** Path patterns, of which one must match. SPEC §17.1 */
export interface Glob {
  matches(path: string): boolean;
}

/** The most patterns that the braces of a pattern may expand to. */
const ALTERNATIVES_MAX = 256;
/**
 * The largest size of all patterns of a list, with their braces expanded: the length of each, plus one. Each character
 * of a path costs one pass over this many bits: 10,000 paths of 100 characters take about 0.4 s.
 */
const SIZE_MAX = 4096;

/** @throws {SelfsameError} BAD_ARGUMENT that names the pattern by `field` */
export function compileGlob(pattern: string, field = "glob"): Glob {
  return compileGlobs([pattern], field);
}

/** @throws {SelfsameError} BAD_ARGUMENT */
export function compileGlobs(patterns: readonly string[], field: string): Glob {
  const trees = patterns.map((pattern) => {
    const shown = describeValue(pattern.slice(0, LENGTH_MAX));
    const refuse = (why: string): never => {
      const [expected, got] = ['a pattern like "docs/**/*.md"', `${shown}: ${why}`];
      throw new SelfsameError(
        "BAD_ARGUMENT",
        `expected ${field} to be ${expected}, got ${got}`,
        "Put \\ before a character to match it literally",
        { details: { argument: field, expected, got } },
      );
    };
    const nodes = parseGlob(pattern, refuse);
    return {
      nodes,
      size: sizeOf(nodes) ?? refuse(`its braces expand to more than ${ALTERNATIVES_MAX} patterns`),
    };
  });
  const size = trees.reduce((sum, { size: { patterns: count, length } }) => sum + count + length, 0);
  if (size > SIZE_MAX) {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected ${field} to be patterns of at most ${SIZE_MAX} characters, every alternative of braces written out, got ${size}`,
      "Give fewer or shorter patterns, or fewer alternatives in braces",
      { details: { argument: field, got: size } },
    );
  }
  return new PathAutomaton(trees.flatMap(({ nodes }) => expand(nodes).map(signsOf)));
}

/** Returns how many patterns the nodes expand to, and their total length; null if there are too many. */
function sizeOf(nodes: readonly Node[]): { patterns: number; length: number } | null {
  let patterns = 1;
  let length = 0;
  for (const node of nodes) {
    let ends = 1;
    let endsLength = 0;
    if (node.kind === "braces") {
      ends = 0;
      for (const alternative of node.alternatives) {
        const size = sizeOf(alternative);
        if (size === null) return null;
        ends += size.patterns;
        endsLength += size.length;
      }
    } else endsLength = node.length;
    length = length * ends + endsLength * patterns;
    patterns *= ends;
    if (patterns > ALTERNATIVES_MAX) return null;
  }
  return { patterns, length };
}

/** Returns all patterns without braces that the nodes expand to. */
function expand(nodes: readonly Node[]): Sign[][] {
  let patterns: Sign[][] = [[]];
  for (const node of nodes) {
    if (node.kind === "braces") {
      const ends = node.alternatives.flatMap(expand);
      patterns = patterns.flatMap((pattern) => ends.map((end) => [...pattern, ...end]));
    } else for (const pattern of patterns) pattern.push(node);
  }
  return patterns;
}

/**
 * Returns what each symbol of a pattern without braces matches. A run of stars is read as a whole, with its neighbours.
 */
function signsOf(nodes: readonly Sign[]): PathSign[] {
  const signs: PathSign[] = [];
  for (let at = 0; at < nodes.length; ) {
    const node = nodes[at]!;
    if (node.kind !== "star") {
      signs.push(node);
      at++;
      continue;
    }
    let end = at;
    while (nodes[end]?.kind === "star") end++;
    const isWholePart = end - at === 2 && isPartEdge(nodes[at - 1]) && isPartEdge(nodes[end]);
    if (!isWholePart) signs.push({ kind: "star" });
    else if (end === nodes.length) signs.push({ kind: "text" });
    else {
      signs.push({ kind: "parts" });
      end++; // its slash
    }
    at = end;
  }
  return signs;
}

/** Returns whether a path segment ends or starts here: at a slash, or at either end of the pattern. */
function isPartEdge(node: Sign | undefined): boolean {
  return node === undefined || (node.kind === "character" && node.codePoint === SLASH);
}
