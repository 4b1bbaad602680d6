import { lstat, readdir, realpath } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import type { Walk, WalkOptions } from "./device-files-port.ts";
import { entryName } from "./entry-name.node.ts";
import type { FoundFile, SkippedFile } from "./found-file.ts";
import {
  isNeverWalked,
  type Rules,
  rulesAbove,
  rulesOfScope,
  verdictOf,
  withOwnRules,
} from "./ignore-rules.node.ts";
import { Pauses } from "./pauses.ts";
import { inside, isAbsence, linkTarget, slashed } from "./real-path.node.ts";

/** What a library's file and its companions are called after its name. */
const BESIDE = /^(-(journal|holder|lock)([-.].*)?)?$/;

/** Whether a file is the library or lies beside it while it is used. */
export function belongsTo(library: string, file: string): boolean {
  return file.startsWith(library) && BESIDE.test(file.slice(library.length));
}

/**
 * Finds files below `paths`, which lie in the root. Honours each folder's .gitignore, and leaves out ignored and hidden
 * files and folders unless they are named.
 *
 * A file is found under its real path alone. A link that stays in the root is as if its target was named, too; but unlike
 * one that is named, an ignored or hidden target is left out.
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
  for (const path of paths) {
    const real = await realpath(resolve(options.root, path)).catch((cause) => {
      if (options.mayBeGone !== true) throw missing(path, cause);
      return join(root, relative(resolve(options.root), resolve(options.root, path)));
    });
    if (!walker.mayRead(real)) {
      throw new SelfsameError(
        "PATH_OUTSIDE_ROOT",
        `expected ${path} to be inside ${root}, got ${real}`,
        "Index from a folder that holds it, or give that folder as the root",
      );
    }
    await walker.walkNamed(slashed(relative(root, real)));
  }
  await walker.walkTargets();
  const byPath = (a: { path: string }, b: { path: string }) => compareUtf8(a.path, b.path);
  return {
    files: [...walker.files.values()].sort(byPath),
    skipped: [...walker.skipped.values()].sort(byPath),
    scopes: [...walker.scopes],
  };
}

class Walker {
  readonly files = new Map<string, FoundFile>();
  /** By path and reason: folders that are named can hold each other. */
  readonly skipped = new Map<string, SkippedFile>();
  readonly scopes = new Set<string>();
  /** Where links lead that leave what is walked. */
  readonly #targets = new Set<string>();
  readonly #root: string;
  readonly #within: readonly string[];
  readonly #options: WalkOptions;
  readonly #library: string | null;
  readonly #pauses: Pauses;

  constructor(root: string, within: readonly string[], options: WalkOptions, library: string | null) {
    this.#root = root;
    this.#within = within;
    this.#library = library;
    this.#options = options;
    this.#pauses = new Pauses(options.signal, `the files of ${root}`);
  }

  mayRead(real: string): boolean {
    return inside(this.#root, real) && this.#within.some((folder) => inside(folder, real));
  }

  async walkNamed(scope: string): Promise<void> {
    this.scopes.add(scope);
    await this.#attempt(scope, () => this.#enter(scope, () => rulesOfScope(this.#root, scope)));
  }

  /** A target can hold links to further targets. Each is walked once, so links that lead in circles end. */
  async walkTargets(): Promise<void> {
    for (const target of this.#targets) {
      if (this.scopes.has(target)) continue;
      this.scopes.add(target);
      if (target.split("/").some(isNeverWalked)) continue;
      await this.#attempt(target, () =>
        this.#enter(target, (isFolder) => rulesAbove(this.#root, target, isFolder)),
      );
    }
  }

  /**
   * @param path of a file or folder without links
   * @param rulesFor null if it is left out
   */
  async #enter(path: string, rulesFor: (isFolder: boolean) => Rules | null): Promise<void> {
    const entry = await lstat(join(this.#root, path));
    const rules = rulesFor(entry.isDirectory());
    if (rules === null || this.#isOfLibrary(path)) return;
    if (entry.isDirectory()) await this.#folder(path, rules, path);
    else if (entry.isFile()) await this.#file(path);
    else this.#skip(path, "not a file");
  }

  async #folder(path: string, inherited: Rules, scope: string): Promise<void> {
    const rules = withOwnRules(this.#root, path, inherited);
    // Names as bytes: those that are not UTF-8 would look like others.
    const entries = await readdir(join(this.#root, path), { withFileTypes: true, encoding: "buffer" });
    for (const entry of entries) {
      await this.#pauses.here();
      const { name, isUtf8 } = entryName(entry.name);
      const child = path === "" ? name : `${path}/${name}`;
      if (isNeverWalked(name) || this.#isOfLibrary(child)) continue;
      if (await this.#isIgnored(rules, child, entry.isDirectory())) continue;
      await this.#attempt(child, async () => {
        if (!isUtf8) this.#skip(child, "bad name", "it is not UTF-8");
        else if (entry.isSymbolicLink()) await this.#link(child, scope);
        else if (entry.isDirectory()) await this.#folder(child, rules, scope);
        else if (entry.isFile()) await this.#file(child);
        else this.#skip(child, "not a file");
      });
    }
  }

  /** As `isIgnored`, with pauses: hostile rules of many folders take long together. */
  async #isIgnored(rules: Rules, path: string, isFolder: boolean): Promise<boolean> {
    for (let i = rules.length - 1; i >= 0; i--) {
      const verdict = verdictOf(rules[i]!, path, isFolder);
      if (verdict !== null) return verdict;
      await this.#pauses.here();
    }
    return false;
  }

  /** Notes where a link leads, unless that is walked anyway, or holds the link. */
  async #link(path: string, scope: string): Promise<void> {
    const absolute = join(this.#root, path);
    const { real, isThere } = await linkTarget(absolute);
    if (!this.mayRead(real)) return this.#skip(path, "link out of the root", real);
    if (!isThere) this.#skip(path, "not a file", "a broken link");
    if (!inside(join(this.#root, scope), real) && !inside(real, absolute))
      this.#targets.add(slashed(relative(this.#root, real)));
  }

  async #file(path: string): Promise<void> {
    if (this.files.has(path) || !this.#options.wants(path)) return;
    const absolute = join(this.#root, path);
    const { size, mtimeNs, ctimeNs } = await lstat(absolute, { bigint: true });
    const bytesMax = this.#options.maxBytes(path);
    if (size > BigInt(bytesMax))
      return this.#skip(path, "too large", `${size} bytes, the limit is ${bytesMax}`, bytesMax);
    const changedNs = ctimeNs > mtimeNs ? ctimeNs : mtimeNs;
    this.files.set(path, { path, absolute, size: Number(size), modifiedNs: mtimeNs, changedNs });
  }

  #isOfLibrary(path: string): boolean {
    return this.#library !== null && belongsTo(this.#library, join(this.#root, path));
  }

  /** What is not there any more is gone. What is there and cannot be read may be read another time. */
  async #attempt(path: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof SelfsameError) throw error;
      if (!isAbsence(error)) this.#skip(path, "unreadable", (error as Error).message);
    }
  }

  #skip(path: string, reason: SkippedFile["reason"], detail?: string, bytesMax?: number): void {
    this.skipped.set(`${reason} ${path}`, {
      ...{ path, reason },
      ...(detail === undefined ? {} : { detail }),
      ...(bytesMax === undefined ? {} : { bytesMax }),
    });
  }
}

function missing(path: string, cause: unknown): SelfsameError {
  return new SelfsameError(
    "FILE_MISSING",
    `expected a file or folder at ${path}, got ${cause instanceof Error ? cause.message : String(cause)}`,
    "Check the path",
    { cause },
  );
}
