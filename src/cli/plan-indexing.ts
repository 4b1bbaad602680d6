import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type ErrorCode, SelfsameError } from "../errors/index.ts";
import type { AddFilesOptions, Build } from "../index.ts";
import { CONFIG_FILE, type Config, findConfig } from "./config.ts";
import { locateLibrary, projectFolder } from "./location.ts";
import { modelOf } from "./with-model.ts";

export interface IndexCommandOptions {
  readonly db?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly model?: string;
  readonly build: Build | "auto";
  readonly root?: string;
  readonly include?: string[];
  readonly exclude?: string[];
  readonly metadata?: AddFilesOptions["metadata"];
}

/** Which files go into which library, according to flags and configuration. */
export interface IndexPlan {
  readonly library: string;
  readonly paths: readonly string[];
  readonly open: { readonly model?: string; readonly build: Build | "auto" };
  readonly files: {
    readonly root: string;
    readonly include?: readonly string[];
    readonly exclude?: readonly string[];
    readonly metadata?: NonNullable<AddFilesOptions["metadata"]>;
  };
}

/** Plans the indexing. Flags override the configuration. Paths are checked before a library is created for them. */
export function planIndexing(given: readonly string[], options: IndexCommandOptions): IndexPlan {
  const config = findConfig();
  const isNamed = given.length > 0;
  const paths = isNamed
    ? given.map((path) => resolve(path)) // relative to the current folder, not the root
    : (config?.paths ?? [projectFolder()]);
  const root = resolve(
    options.root ?? (isNamed && options.db !== undefined ? folderOf(resolve(options.db)) : projectFolder()),
  );
  checkPaths(paths, root, isNamed || config?.paths === undefined ? null : config);
  const model = options.model ?? modelOf(config);
  const include = options.include ?? config?.include;
  const exclude = options.exclude ?? config?.exclude;
  return {
    library: locateLibrary(options.db),
    paths,
    open: { build: options.build, ...(model === undefined ? {} : { model }) },
    files: {
      root,
      ...(include === undefined ? {} : { include }),
      ...(exclude === undefined ? {} : { exclude }),
      ...(options.metadata === undefined ? {} : { metadata: options.metadata }),
    },
  };
}

/** Returns the folder that a library's paths are relative to: its own, or the one above `.selfsame`. */
function folderOf(library: string): string {
  const folder = dirname(library);
  return basename(folder) === ".selfsame" ? dirname(folder) : folder;
}

/** @param config the configuration that the paths come from; null if they come from the command line */
function checkPaths(paths: readonly string[], root: string, config: Config | null): void {
  if (!existsSync(root) || !statSync(root).isDirectory())
    throw new SelfsameError(
      "FILE_MISSING",
      `expected a root folder at ${root}, got none`,
      "Create it, or name another: --root <folder>",
    );
  for (const [i, path] of paths.entries()) {
    const refuse = (code: ErrorCode, message: string, hint: string) => {
      throw config?.fault(["paths", i], message, hint) ?? new SelfsameError(code, message, hint);
    };
    if (!existsSync(path))
      refuse("FILE_MISSING", `expected a file or folder at ${path}, got none`, "Check the path");
    const real = realpathSync(path);
    const above = relative(realpathSync(root), real);
    if (above !== ".." && !above.startsWith(`..${sep}`) && !above.startsWith(sep)) continue;
    refuse(
      "PATH_OUTSIDE_ROOT",
      `expected ${path} to be inside ${root}, got ${real}`,
      `Name a root folder that contains it (--root), or run the command there${existsSync(join(root, CONFIG_FILE)) ? `; ${CONFIG_FILE} makes its folder the root` : ""}`,
    );
  }
}
