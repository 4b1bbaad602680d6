import { relative, sep } from "node:path";

/** Returns a path for display: relative if it lies below the current folder, otherwise absolute. */
export function relativePath(path: string): string {
  const below = relative(process.cwd(), path);
  if (below === "") return ".";
  return below === ".." || below.startsWith(`..${sep}`) || below.startsWith(sep) ? path : below;
}
