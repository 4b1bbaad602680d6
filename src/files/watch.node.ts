import { lstatSync, type Stats } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { type FSWatcher, watch } from "chokidar";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { FileWatcher, WatchOptions } from "./device-files-port.ts";
import { IgnoreRules, isNeverWalked } from "./ignore-rules.node.ts";
import { inside, realOf, slashed } from "./real-path.node.ts";
import { belongsTo } from "./walk.node.ts";

/** Watches what `walk` would look at. A listener that is told of a change must scan to find what changed. */
export async function watchFiles(paths: readonly string[], options: WatchOptions): Promise<FileWatcher> {
  const root = realOf(options.root);
  const library = realOf(options.library);
  const scopes = paths.map((path) => realOf(resolve(options.root, path)));
  let isStale = false;
  const start = () =>
    started(scopes, root, library, (path, event) => {
      isStale ||= basename(path) === ".gitignore" || (scopes.includes(path) && event !== "change");
      options.onChange();
    });
  let watcher = await start();
  watcher.on("error", (error) => options.onFailure(failed(error)));
  return {
    async refresh() {
      if (!isStale) return;
      isStale = false;
      await watcher.close();
      watcher = await start();
      watcher.on("error", (error) => options.onFailure(failed(error)));
    },
    close: () => watcher.close(),
  };
}

/** A watcher that has seen everything once. */
function started(
  scopes: readonly string[],
  root: string,
  library: string,
  onEvent: (path: string, event: string) => void,
): Promise<FSWatcher> {
  const rules = new Map(
    scopes.map((scope) => [scope, new IgnoreRules(root, slashed(relative(root, scope)))]),
  );
  const ignored = (path: string, stats?: Stats): boolean => {
    if (scopes.includes(path)) return false;
    if (belongsTo(library, path)) return true;
    const name = basename(path);
    if (name === ".gitignore") return false;
    if (isNeverWalked(name)) return true;
    // Without stats nobody knows yet whether it is a folder, which the rules ask; it is asked again with them.
    if (stats === undefined) return false;
    if (!inside(root, realOf(path))) return true; // a link out of the root
    const own = [...rules].filter(([scope]) => inside(scope, path));
    const local = slashed(relative(root, path));
    // For git, and so for a walk, a link to a folder is no folder.
    const isFolder = stats.isDirectory() && !lstatSync(path).isSymbolicLink();
    return own.length > 0 && own.every(([, each]) => each.ignores(local, isFolder));
  };
  return new Promise((resolved, reject) => {
    const watcher = watch([...scopes], { ignored, ignoreInitial: true });
    watcher.once("error", (error) => {
      void watcher.close();
      reject(failed(error));
    });
    watcher.once("ready", () => {
      watcher.removeAllListeners("error");
      watcher.on("all", (event, path) => onEvent(path, event));
      resolved(watcher);
    });
  });
}

function failed(error: unknown): SelfsameError {
  const { code, message } = error as NodeJS.ErrnoException;
  const isLimit = code === "ENOSPC" || code === "EMFILE";
  return new SelfsameError(
    "WATCH_FAILED",
    `expected the system to report file changes, got ${message}`,
    isLimit
      ? "Watch fewer files, raise the system's limit (Linux: fs.inotify.max_user_watches), or set CHOKIDAR_USEPOLLING=1"
      : "Start again; if the error persists, set CHOKIDAR_USEPOLLING=1",
    { cause: error },
  );
}
