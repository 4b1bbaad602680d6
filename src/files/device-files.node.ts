import { realpathSync, statSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import type { DeviceFiles } from "./device-files-port.ts";
import { readFound } from "./read-found.node.ts";
import { streamFile } from "./stream-file.node.ts";
import { walk } from "./walk.node.ts";

/** The files of the device, through Node's file system. */
const deviceFiles: DeviceFiles = {
  walk,
  // Loaded by whoever watches: nobody else needs the watcher.
  watch: async (paths, options) => (await import("./watch.node.ts")).watchFiles(paths, options),
  read: readFound,
  // Loaded by whoever ingests: nobody else needs Parquet.
  outside: async (chunks, vectors, options) =>
    (await import("./outside/read-outside.node.ts")).outsideReader(chunks, vectors, options),
  folderOf(library) {
    const folder = library === ":memory:" ? process.cwd() : dirname(resolve(library));
    return basename(folder) === ".selfsame" ? dirname(folder) : folder;
  },
  nameOfFolder: (folder, library) =>
    relative(realpathSync(dirname(resolve(library))), realpathSync(folder))
      .split(sep)
      .join("/"),
  folderNamed: (name, library) => resolve(realpathSync(dirname(resolve(library))), name),
  isFile: (folder, path) => statSync(resolve(folder, path), { throwIfNoEntry: false })?.isFile() === true,
  kindOf(path) {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isDirectory() === true ? "folder" : found?.isFile() === true ? "file" : null;
  },
  stream: (path, bytesMax) => streamFile(path, bytesMax),
  absolute: (path) => resolve(path),
  // Loaded by whoever exports a tree.
  treeFolder: async (folder) => (await import("./tree-folder.node.ts")).treeFolder(folder),
  modeOf: (library) => (process.platform === "win32" ? null : statSync(library).mode & 0o777),
};

export default deviceFiles;
