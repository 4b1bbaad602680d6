import { SelfsameError } from "../errors/selfsame-error.ts";
import { type CharacterSet, isInSet, type Node, parseGlob, SLASH } from "./glob-pattern.ts";

/** A pattern of paths. SPEC §17.1 */
export interface Glob {
  matches(path: string): boolean;
}

/**
 * One step of a machine without memory (Thompson's construction). Matching walks all steps that can be reached side
 * by side, so it takes at most length of the path × size of the pattern, whatever the pattern.
 */
type Step =
  | { readonly kind: "character"; readonly codePoint: number; readonly next: number }
  | { readonly kind: "set"; readonly set: CharacterSet; readonly next: number }
  | { readonly kind: "any"; readonly next: number } // any character, / too
  | { readonly kind: "fork"; readonly next: number; readonly or: number }
  | { readonly kind: "end" };

/** What braces may stand for: without a limit, ten of them in a row would be thousands of patterns. */
const ALTERNATIVES_MAX = 256;

const NOT_SLASH: CharacterSet = { isNegated: true, ranges: [] };

/**
 * @param field names the pattern in an error
 * @throws {SelfsameError} BAD_ARGUMENT
 */
export function compileGlob(pattern: string, field = "glob"): Glob {
  const refuse = (why: string): never => {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected ${field} to be a pattern like "docs/**/*.md", got ${JSON.stringify(pattern)}: ${why}`,
      "Put \\ before a character that is meant as it stands",
    );
  };
  const expanded = expand(parseGlob(pattern, refuse));
  if (expanded === null) return refuse(`its braces stand for over ${ALTERNATIVES_MAX} patterns`);
  const machines = expanded.map(machineOf);
  return { matches: (path) => machines.some((steps) => run(steps, path)) };
}

type Flat = Exclude<Node, { kind: "braces" }>;

/** All patterns without braces that the nodes stand for; null if they are too many. */
function expand(nodes: readonly Node[]): Flat[][] | null {
  let patterns: Flat[][] = [[]];
  for (const node of nodes) {
    let ends: Flat[][] = [];
    if (node.kind === "braces") {
      for (const alternative of node.alternatives) {
        const expanded = expand(alternative);
        if (expanded === null) return null;
        ends = ends.concat(expanded);
      }
    } else ends = [[node]];
    if (patterns.length * ends.length > ALTERNATIVES_MAX) return null;
    patterns = patterns.flatMap((pattern) => ends.map((end) => [...pattern, ...end]));
  }
  return patterns;
}

/** The steps of a pattern without braces, the first one its start. */
function machineOf(nodes: readonly Flat[]): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < nodes.length; ) {
    const node = nodes[at]!;
    const next = steps.length + 1;
    if (node.kind === "star") {
      let end = at;
      while (nodes[end]?.kind === "star") end++;
      if (end - at === 2 && isPartEdge(nodes[at - 1]) && isPartEdge(nodes[end])) {
        at = end < nodes.length ? end + 1 : end;
        steps.push(...(end < nodes.length ? anyParts(next - 1) : anyNumber({ kind: "any" }, next - 1)));
      } else {
        at = end;
        steps.push(...anyNumber({ kind: "set", set: NOT_SLASH }, next - 1));
      }
    } else {
      at++;
      steps.push(node.kind === "set" ? { kind: "set", set: node.set, next } : { ...node, next });
    }
  }
  steps.push({ kind: "end" });
  return steps;
}

/** Whether parts of the path end or begin here: at a slash, or at an end of the pattern. */
function isPartEdge(node: Flat | undefined): boolean {
  return node === undefined || (node.kind === "character" && node.codePoint === SLASH);
}

/** Any number of what `one` takes, at `start`. */
function anyNumber(one: { kind: "any" } | { kind: "set"; set: CharacterSet }, start: number): Step[] {
  return [
    { kind: "fork", next: start + 1, or: start + 2 },
    { ...one, next: start },
  ];
}

/** Nothing, or anything that ends in a slash, at `start`. */
function anyParts(start: number): Step[] {
  return [
    { kind: "fork", next: start + 1, or: start + 4 },
    ...anyNumber({ kind: "any" }, start + 1),
    { kind: "character", codePoint: SLASH, next: start + 4 },
  ];
}

function run(steps: readonly Step[], path: string): boolean {
  // After how many characters a step was last listed, so that it is listed once.
  const listedAt = new Int32Array(steps.length).fill(-1);
  const list = (states: number[], first: number, at: number): void => {
    const pending = [first];
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (listedAt[index] === at) continue;
      listedAt[index] = at;
      const step = steps[index]!;
      if (step.kind === "fork") pending.push(step.or, step.next);
      else states.push(index);
    }
  };
  let at = 0;
  let states: number[] = [];
  list(states, 0, at);
  for (const character of path) {
    const codePoint = character.codePointAt(0)!;
    const reached: number[] = [];
    at++;
    for (const index of states) {
      const step = steps[index]!;
      if (step.kind !== "end" && step.kind !== "fork" && takes(step, codePoint)) list(reached, step.next, at);
    }
    if (reached.length === 0) return false;
    states = reached;
  }
  return states.some((index) => steps[index]!.kind === "end");
}

function takes(step: Exclude<Step, { kind: "end" | "fork" }>, codePoint: number): boolean {
  if (step.kind === "any") return true;
  return step.kind === "character" ? step.codePoint === codePoint : isInSet(step.set, codePoint);
}
