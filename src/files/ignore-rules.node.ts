import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GitIgnore } from "./gitignore.ts";

/** Never looked into, whatever .gitignore says. */
const NEVER = new Set([".git", ".selfsame", "node_modules"]);
/** The largest .gitignore that is honoured. */
const BYTES_MAX = 256 << 10;

/** Whether a file or folder of this name is left out wherever it is, unless it is named itself: hidden ones are. */
export function isNeverWalked(name: string): boolean {
  return name.startsWith(".") || NEVER.has(name);
}

/** .gitignore files with the folders that they lie in, from the root down. */
export type Rules = readonly { readonly folder: string; readonly rules: GitIgnore }[];

/**
 * Adds the rules of a folder's own .gitignore. As for git, that is a regular file, not a link.
 *
 * @throws if the file is too large to be honoured: then what it leaves out is not known
 */
export function withOwnRules(root: string, folder: string, inherited: Rules): Rules {
  const file = join(root, folder, ".gitignore");
  let text: string;
  try {
    const stats = lstatSync(file);
    // To read a pipe would be to wait for its writer.
    if (!stats.isFile()) return inherited;
    if (stats.size > BYTES_MAX) throw new UnfitRules(`over ${BYTES_MAX} bytes`);
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof UnfitRules) throw error;
    return inherited;
  }
  const rules = GitIgnore.parse(text);
  if (rules === null) throw new UnfitRules("a line longer than 1,024 characters");
  return [...inherited, { folder, rules }];
}

class UnfitRules extends Error {
  constructor(what: string) {
    super(`its .gitignore has ${what}`);
  }
}

/** Whether rules leave out a path whose folder they do not. As git: a deeper .gitignore overrules one above it. */
export function isIgnored(all: Rules, path: string, isFolder: boolean): boolean {
  for (let i = all.length - 1; i >= 0; i--) {
    const verdict = verdictOf(all[i]!, path, isFolder);
    if (verdict !== null) return verdict;
  }
  return false;
}

/** What one file says of a path below its folder. */
export function verdictOf({ folder, rules }: Rules[number], path: string, isFolder: boolean): boolean | null {
  return rules.verdict(folder === "" ? path : path.slice(folder.length + 1), isFolder);
}

/** The rules above a path; null if they leave it out, or a folder that holds it. */
export function rulesAbove(root: string, path: string, isFolder = true): Rules | null {
  let rules: Rules = [];
  for (let end = 0; end < path.length; ) {
    const folder = path.slice(0, end);
    rules = withOwnRules(root, folder, rules);
    const slash = path.indexOf("/", end + 1);
    end = slash < 0 ? path.length : slash;
    if (isIgnored(rules, path.slice(0, end), isFolder || slash >= 0)) return null;
  }
  return rules;
}

/** The rules above a scope. Whoever names an ignored folder wants it: then only the rules within it count. */
export function rulesOfScope(root: string, scope: string): Rules {
  return rulesAbove(root, scope) ?? [];
}

/**
 * Whether a walk from `scope` leaves a path out, asked path by path. Rules are read once; after a change of a .gitignore
 * make another.
 */
export class IgnoreRules {
  readonly #root: string;
  readonly #scope: string;
  /** By folder: the rules for what lies in it, null if it is left out itself. */
  readonly #known = new Map<string, Rules | null>();

  constructor(root: string, scope: string) {
    this.#root = root;
    this.#scope = scope;
  }

  /** Of a path relative to the root, in the scope. */
  ignores(path: string, isFolder: boolean): boolean {
    if (path === this.#scope) return false;
    const rules = this.#within(parentOf(path));
    return rules === null || isIgnored(rules, path, isFolder);
  }

  #within(folder: string): Rules | null {
    const known = this.#known.get(folder);
    if (known !== undefined) return known;
    const rules = this.#read(folder);
    this.#known.set(folder, rules);
    return rules;
  }

  #read(folder: string): Rules | null {
    try {
      if (folder === this.#scope || folder === "")
        return withOwnRules(this.#root, folder, rulesOfScope(this.#root, folder));
      const inherited = this.#within(parentOf(folder));
      if (inherited === null || isIgnored(inherited, folder, true)) return null;
      return withOwnRules(this.#root, folder, inherited);
    } catch (error) {
      if (error instanceof UnfitRules) return null;
      throw error;
    }
  }
}

function parentOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}
