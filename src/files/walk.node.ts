import { existsSync } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { compareUtf8 } from "../text/order.ts";
import { isIgnored, isNeverWalked, type Rules, rulesOfScope, withOwnRules } from "./ignore-rules.node.ts";

/** A file that is to be indexed. */
export interface FoundFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly absolute: string;
  /** Where it lies, links resolved: it was looked at there, and only there it may be read. */
  readonly real: string;
  readonly size: number;
  readonly modifiedNs: bigint;
  /** When it was last modified, or moved here, whichever is later: its modification alone may be of any time. */
  readonly changedNs: bigint;
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
  /** Whether a path that is not there counts as an empty folder, instead of an error. */
  readonly mayBeGone?: boolean;
  /** The library itself: neither it nor what lies beside it while it is used is a document. */
  readonly library?: string;
}

export interface Walk {
  /** In the order of their paths' UTF-8 bytes. */
  readonly files: readonly FoundFile[];
  /** Only what a person would ask about: ignored and hidden files are not listed. */
  readonly skipped: readonly SkippedFile[];
  /** The folders and files that were walked, relative to the root ("" is the root itself): the scope of removals. */
  readonly scopes: readonly string[];
}

/** What a library's file and its companions are called after its name. */
const BESIDE = /^(-(journal|holder|lock)([-.].*)?)?$/;

/** Whether a file is the library or lies beside it while it is used. */
export function belongsTo(library: string, file: string): boolean {
  return file.startsWith(library) && BESIDE.test(file.slice(library.length));
}

/**
 * Finds files below `paths`, which lie in the root. Honours each folder's .gitignore, leaves out ignored and hidden
 * files and folders unless they are named, follows links that stay within the root and no other.
 */
export async function walk(paths: readonly string[], options: WalkOptions): Promise<Walk> {
  const root = await realpath(resolve(options.root)).catch((cause) => {
    throw missing(options.root, cause);
  });
  const within = await Promise.all((options.within ?? []).map((folder) => realpath(resolve(folder))));
  const library = options.library === undefined ? null : resolve(options.library);
  const walker = new Walker(
    root,
    options.within === undefined ? [root] : within,
    options,
    library === null ? null : await realpath(library).catch(() => library),
  );
  const scopes: string[] = [];
  for (const path of paths) {
    const real = await realpath(resolve(options.root, path)).catch((cause) => {
      if (options.mayBeGone !== true) throw missing(path, cause);
      return join(root, relative(resolve(options.root), resolve(options.root, path)));
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
    if (existsSync(real)) await walker.enter(scope, real, rulesOfScope(root, scope));
  }
  const files = [...walker.files.values()].sort((a, b) => compareUtf8(a.path, b.path));
  const skipped = walker.skipped.sort((a, b) => compareUtf8(a.path, b.path));
  return { files, skipped, scopes };
}

class Walker {
  readonly files = new Map<string, FoundFile>();
  readonly skipped: SkippedFile[] = [];
  readonly #root: string;
  readonly #within: readonly string[];
  readonly #options: WalkOptions;
  readonly #library: string | null;
  /** Real folders that have been walked: links may lead to one of them again, even in a circle. */
  readonly #walked = new Set<string>();

  constructor(root: string, within: readonly string[], options: WalkOptions, library: string | null) {
    this.#root = root;
    this.#within = within;
    this.#library = library;
    this.#options = options;
  }

  mayRead(real: string): boolean {
    return this.#within.some((folder) => inside(folder, real));
  }

  /** @param place where it lies, if it is no link itself: links above it are resolved */
  async enter(path: string, place: string, rules: Rules): Promise<void> {
    const absolute = join(this.#root, path);
    if (this.#library !== null && belongsTo(this.#library, absolute)) return;
    try {
      const link = await lstat(absolute);
      const real = link.isSymbolicLink() ? await realpath(absolute) : place;
      if (!inside(this.#root, real) || !this.mayRead(real))
        return this.#skip(path, "link out of the root", real);
      const entry = link.isSymbolicLink() ? await stat(absolute) : link;
      if (entry.isDirectory()) await this.#folder(path, real, rules);
      else if (entry.isFile()) await this.#file(path, absolute, real);
      else this.#skip(path, "not a file");
    } catch (error) {
      await this.#failed(path, absolute, error);
    }
  }

  /** What is not there any more is gone; what is there and cannot be read may be read another time. */
  async #failed(path: string, absolute: string, error: unknown): Promise<void> {
    if (!isAbsence(error))
      return this.#skip(path, "unreadable", error instanceof Error ? error.message : String(error));
    const isLink = await lstat(absolute).then(
      (entry) => entry.isSymbolicLink(),
      () => false,
    );
    if (isLink) this.#skip(path, "not a file", "a link to nothing");
  }

  async #folder(path: string, real: string, inherited: Rules): Promise<void> {
    if (this.#walked.has(real)) return;
    this.#walked.add(real);
    const names = (await readdir(real)).sort(compareUtf8);
    const rules = withOwnRules(path, real, inherited);
    for (const name of names) {
      if (isNeverWalked(name)) continue;
      const child = path === "" ? name : `${path}/${name}`;
      const isFolder = (await stat(join(real, name)).catch(() => null))?.isDirectory() === true;
      if (!isIgnored(rules, child, isFolder)) await this.enter(child, join(real, name), rules);
    }
  }

  async #file(path: string, absolute: string, real: string): Promise<void> {
    if (this.files.has(path) || !this.#options.wants(path)) return;
    const { size, mtimeNs, ctimeNs } = await stat(real, { bigint: true });
    const { maxBytes } = this.#options;
    if (size > BigInt(maxBytes))
      return this.#skip(path, "too large", `${size} bytes, the limit is ${maxBytes}`);
    const changedNs = ctimeNs > mtimeNs ? ctimeNs : mtimeNs;
    this.files.set(path, { path, absolute, real, size: Number(size), modifiedNs: mtimeNs, changedNs });
  }

  #skip(path: string, reason: SkippedFile["reason"], detail?: string): void {
    this.skipped.push(detail === undefined ? { path, reason } : { path, reason, detail });
  }
}

/** Nothing is there, or a link leads to nothing. */
export function isAbsence(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException)?.code ?? "");
}

export function inside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

export function slashed(path: string): string {
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
