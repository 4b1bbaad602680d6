import { existsSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Library } from "../index.ts";

/** Where documents are on this device: paths that open from where the user stands, and back. */
export interface Places {
  /** Returns a document's path as it opens from the current folder; the library's own if it is no file here. */
  shown(path: string): string;
  /** Returns the library's paths that a user may mean: as typed, and as a file of the library's folder. */
  meant(typed: string): readonly string[];
}

export async function placesOf(library: Library): Promise<Places> {
  const folder = await library.filesFolder();
  return {
    shown(path) {
      if (folder === null) return path;
      const file = join(folder, path);
      return existsSync(file) ? relative(process.cwd(), file) || path : path;
    },
    meant(typed) {
      if (folder === null) return [typed];
      const within = relative(folder, resolve(typed));
      const isOutside = within === ".." || within.startsWith(`..${sep}`) || isAbsolute(within);
      return isOutside ? [typed] : [within.split(sep).join("/"), typed];
    },
  };
}
