import { relative, sep } from "node:path";

/** A path for people: from the current folder where it lies below it, else whole. */
export function relativePath(path: string): string {
  const below = relative(process.cwd(), path);
  if (below === "") return ".";
  return below === ".." || below.startsWith(`..${sep}`) || below.startsWith(sep) ? path : below;
}
