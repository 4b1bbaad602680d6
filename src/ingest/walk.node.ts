import { lstat, readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { SelfsameError } from "../errors.ts";
import { compareUtf8 } from "../text/order.ts";

/** A file that is to be indexed. */
export interface FoundFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly absolute: string;
  readonly size: number;
  readonly modifiedNs: bigint;
}

/** A file that is not, and why. */
export interface SkippedFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Why it was left out. */
  readonly reason: "bad name" | "binary" | "link out of the root" | "not a file" | "too large" | "unreadable";
  /** More about the reason, such as the system's message. */
  readonly detail?: string;
}

/** What a walk looks at. */
export interface WalkOptions {
  readonly root: string;
  /** Folders of the root outside of which nothing is read; default: the root itself. */
  readonly within?: readonly string[] | undefined;
  /** Larger files are skipped. */
  readonly maxBytes: number;
  /** Of a path relative to the root: whether the caller's include and exclude want it. */
  readonly wants: (path: string) => boolean;
}

export interface Walk {
  /** In the order of their paths' UTF-8 bytes. */
  readonly files: readonly FoundFile[];
  /** Only what a person would ask about: ignored and hidden files are not listed. */
  readonly skipped: readonly SkippedFile[];
  /** The folders and files that were walked, relative to the root ("" is the root itself): the scope of removals. */
  readonly scopes: readonly string[];
}

/** Never looked into, whatever .gitignore says. */
const NEVER = new Set([".git", ".selfsame", "node_modules"]);

/**
 * Finds files below `paths`, which lie in the root. Honours each folder's .gitignore, leaves out ignored and hidden
 * files and folders unless they are named, follows links that stay within the root and no other.
 */
export async function walk(paths: readonly string[], options: WalkOptions): Promise<Walk> {
  const root = await realpath(resolve(options.root)).catch((cause) => {
    throw missing(options.root, cause);
  });
  const within = await Promise.all((options.within ?? []).map((folder) => realpath(resolve(folder))));
  const walker = new Walker(root, options.within === undefined ? [root] : within, options);
  const scopes: string[] = [];
  for (const path of paths) {
    const real = await realpath(resolve(options.root, path)).catch((cause) => {
      throw missing(path, cause);
    });
    if (!inside(root, real) || !walker.mayRead(real)) {
      throw new SelfsameError(
        "PATH_OUTSIDE_ROOT",
        `expected ${path} to lie in ${root}, got ${real}`,
        "Index from a folder that holds it, or give that folder as the root",
      );
    }
    const scope = slashed(relative(root, real));
    scopes.push(scope);
    const above = await rulesAbove(root, scope);
    // Whoever names an ignored folder wants it: then only the rules within it count.
    await walker.enter(scope, isIgnored(above, scope, true) ? [] : above);
  }
  const files = [...walker.files.values()].sort((a, b) => compareUtf8(a.path, b.path));
  const skipped = walker.skipped.sort((a, b) => compareUtf8(a.path, b.path));
  return { files, skipped, scopes };
}

/** .gitignore rules with the folder that they count from. */
type Rules = readonly { readonly folder: string; readonly rules: Ignore }[];

class Walker {
  readonly files = new Map<string, FoundFile>();
  readonly skipped: SkippedFile[] = [];
  readonly #root: string;
  readonly #within: readonly string[];
  readonly #options: WalkOptions;
  /** Real folders that have been walked: links may lead to one of them again, even in a circle. */
  readonly #walked = new Set<string>();

  constructor(root: string, within: readonly string[], options: WalkOptions) {
    this.#root = root;
    this.#within = within;
    this.#options = options;
  }

  mayRead(real: string): boolean {
    return this.#within.some((folder) => inside(folder, real));
  }

  async enter(path: string, rules: Rules): Promise<void> {
    const absolute = join(this.#root, path);
    try {
      const link = await lstat(absolute);
      const real = link.isSymbolicLink() ? await realpath(absolute) : absolute;
      if (!inside(this.#root, real) || !this.mayRead(real))
        return this.#skip(path, "link out of the root", real);
      const entry = link.isSymbolicLink() ? await stat(absolute) : link;
      if (entry.isDirectory()) await this.#folder(path, await realpath(absolute), rules);
      else if (entry.isFile()) await this.#file(path, absolute);
      else this.#skip(path, "not a file");
    } catch (error) {
      this.#skip(path, "unreadable", error instanceof Error ? error.message : String(error));
    }
  }

  async #folder(path: string, real: string, inherited: Rules): Promise<void> {
    if (this.#walked.has(real)) return;
    this.#walked.add(real);
    const names = (await readdir(real)).sort(compareUtf8);
    const rules = await withOwnRules(path, real, inherited);
    for (const name of names) {
      if (name.startsWith(".") || NEVER.has(name)) continue;
      const child = path === "" ? name : `${path}/${name}`;
      const isFolder = (await stat(join(real, name)).catch(() => null))?.isDirectory() === true;
      if (!isIgnored(rules, child, isFolder)) await this.enter(child, rules);
    }
  }

  async #file(path: string, absolute: string): Promise<void> {
    if (this.files.has(path) || !this.#options.wants(path)) return;
    const { size, mtimeNs } = await stat(absolute, { bigint: true });
    const { maxBytes } = this.#options;
    if (size > BigInt(maxBytes))
      return this.#skip(path, "too large", `${size} bytes, the limit is ${maxBytes}`);
    this.files.set(path, { path, absolute, size: Number(size), modifiedNs: mtimeNs });
  }

  #skip(path: string, reason: SkippedFile["reason"], detail?: string): void {
    this.skipped.push(detail === undefined ? { path, reason } : { path, reason, detail });
  }
}

/** The rules of every folder from the root down to the one that holds `path`. */
async function rulesAbove(root: string, path: string): Promise<Rules> {
  if (path === "") return [];
  let rules = await withOwnRules("", root, []);
  const parts = path.split("/").slice(0, -1);
  for (let i = 1; i <= parts.length; i++) {
    const folder = parts.slice(0, i).join("/");
    rules = await withOwnRules(folder, join(root, folder), rules);
  }
  return rules;
}

async function withOwnRules(folder: string, absolute: string, inherited: Rules): Promise<Rules> {
  const text = await readFile(join(absolute, ".gitignore"), "utf8").catch(() => null);
  return text === null ? inherited : [...inherited, { folder, rules: ignore().add(text) }];
}

/** As git: a deeper .gitignore overrules one above it. */
function isIgnored(all: Rules, path: string, isFolder: boolean): boolean {
  let ignored = false;
  for (const { folder, rules } of all) {
    const local = folder === "" ? path : path.slice(folder.length + 1);
    const verdict = rules.test(isFolder ? `${local}/` : local);
    if (verdict.ignored) ignored = true;
    else if (verdict.unignored) ignored = false;
  }
  return ignored;
}

function inside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function slashed(path: string): string {
  return sep === "/" ? path : path.split(sep).join("/");
}

function missing(path: string, cause: unknown): SelfsameError {
  return new SelfsameError(
    "FILE_MISSING",
    `expected a file or folder at ${path}, got ${cause instanceof Error ? cause.message : String(cause)}`,
    "Check the path",
    { cause },
  );
}
