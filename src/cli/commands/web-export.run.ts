import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { counted } from "../../errors/index.ts";
import { SelfsameError } from "../../index.ts";
import { bold, dim, print, printJson } from "../output.ts";
import { type PageParts, pageParts } from "../page-parts.ts";
import { relativePath } from "../relative-path.ts";

/** Runs `selfsame web --export`: writes everything that `selfsame web` serves into a folder, each file at its path. */
export function exportPage(folder: string, { json }: { readonly json?: boolean }): void {
  const target = resolve(folder);
  const files = filesOf(pageParts());
  refuseUnlessEmpty(target);
  let bytes = 0;
  for (const [path, from] of files) {
    const to = join(target, path);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to);
    bytes += statSync(to).size;
  }
  if (json) {
    printJson({ folder: target, files: files.size, bytes });
    return;
  }
  print(
    `${bold(relativePath(target))}: the page, ${counted(files.size, "file")}, ${(bytes / 1e6).toFixed(1)} MB`,
  );
  print(
    dim(
      "Any web server can serve it, over https or on localhost. Over plain http, browsers deny the storage that the page needs.",
    ),
  );
}

/** Maps each path below the page's address to its file, as `selfsame web` would serve it. */
function filesOf(parts: PageParts): Map<string, string> {
  const files = new Map<string, string>();
  for (const [place, folder] of parts) {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const path = `${place}${name.replaceAll(sep, "/")}`;
      const isOfAnother = parts.find(([each]) => path.startsWith(each))?.[0] !== place;
      if (!isOfAnother && statSync(join(folder, name)).isFile()) files.set(path, join(folder, name));
    }
  }
  return files;
}

function refuseUnlessEmpty(target: string): void {
  if (!existsSync(target)) return;
  const isFolder = statSync(target).isDirectory();
  if (isFolder && readdirSync(target).length === 0) return;
  throw new SelfsameError(
    "BAD_ARGUMENT",
    `expected ${target} to be new, or an empty folder, got ${isFolder ? "a folder with files in it" : "a file"}`,
    "Name another folder, or remove this one first",
  );
}
