import { realpathSync } from "node:fs";
import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, resolve, sep } from "node:path";

/** Nothing is there, or a link leads to nothing. */
export function isAbsence(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException)?.code ?? "");
}

/** Whether a path is a folder or lies in it; both are absolute and without links. */
export function inside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

export function slashed(path: string): string {
  return sep === "/" ? path : path.split(sep).join("/");
}

/** Links resolved as far as the path is there: what is gone, or not there yet, keeps its name. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : resolve(realOf(folder), basename(path));
  }
}

/** Where a link leads, also if nothing is there. Rejects if it leads to itself. */
export async function linkTarget(
  link: string,
): Promise<{ readonly real: string; readonly isThere: boolean }> {
  try {
    return { real: await realpath(link), isThere: true };
  } catch (error) {
    if (!isAbsence(error)) throw error;
    return { real: realOf(resolve(dirname(link), await readlink(link))), isThere: false };
  }
}
