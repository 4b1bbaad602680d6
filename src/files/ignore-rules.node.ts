import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";

/** Never looked into, whatever .gitignore says. */
const NEVER = new Set([".git", ".selfsame", "node_modules"]);

/** Whether a file or folder of this name is left out wherever it is, unless it is named itself: hidden ones are. */
export function isNeverWalked(name: string): boolean {
  return name.startsWith(".") || NEVER.has(name);
}

/** .gitignore rules with the folder that they count from. */
export type Rules = readonly { readonly folder: string; readonly rules: Ignore }[];

/** The rules of every folder from the root down to the one that holds `path`. */
function rulesAbove(root: string, path: string): Rules {
  if (path === "") return [];
  let rules = withOwnRules("", root, []);
  const parts = path.split("/").slice(0, -1);
  for (let i = 1; i <= parts.length; i++) {
    const folder = parts.slice(0, i).join("/");
    rules = withOwnRules(folder, join(root, folder), rules);
  }
  return rules;
}

export function withOwnRules(folder: string, absolute: string, inherited: Rules): Rules {
  const file = join(absolute, ".gitignore");
  let text: string;
  try {
    // To read a pipe would be to wait for its writer.
    if (!statSync(file).isFile()) return inherited;
    text = readFileSync(file, "utf8");
  } catch {
    return inherited;
  }
  return [...inherited, { folder, rules: ignore().add(text) }];
}

/**
 * Whether a walk from `scope` leaves a path out, asked path by path. Rules are read once; after a change of a .gitignore
 * make another.
 */
export class IgnoreRules {
  readonly #root: string;
  readonly #scope: string;
  readonly #known = new Map<string, Rules>();

  constructor(root: string, scope: string) {
    this.#root = root;
    this.#scope = scope;
  }

  /** Of a path relative to the root, in the scope. */
  ignores(path: string, isFolder: boolean): boolean {
    return path !== this.#scope && isIgnored(this.#within(parentOf(path)), path, isFolder);
  }

  /** The rules that count for what lies in a folder. */
  #within(folder: string): Rules {
    const known = this.#known.get(folder);
    if (known !== undefined) return known;
    const rules = withOwnRules(folder, join(this.#root, folder), this.#inherited(folder));
    this.#known.set(folder, rules);
    return rules;
  }

  #inherited(folder: string): Rules {
    if (folder !== this.#scope) return folder === "" ? [] : this.#within(parentOf(folder));
    return rulesOfScope(this.#root, this.#scope);
  }
}

/** The rules above a scope. Whoever names an ignored folder wants it: then only the rules within it count. */
export function rulesOfScope(root: string, scope: string): Rules {
  const above = rulesAbove(root, scope);
  return isIgnored(above, scope, true) ? [] : above;
}

function parentOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

/** As git: a deeper .gitignore overrules one above it. */
export function isIgnored(all: Rules, path: string, isFolder: boolean): boolean {
  let ignored = false;
  for (const { folder, rules } of all) {
    const local = folder === "" ? path : path.slice(folder.length + 1);
    const verdict = rules.test(isFolder ? `${local}/` : local);
    if (verdict.ignored) ignored = true;
    else if (verdict.unignored) ignored = false;
  }
  return ignored;
}
