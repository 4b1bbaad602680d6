// The documentation files of installed packages, in an order that depends on their paths alone.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { paragraphs, proseFormat } from "./paragraphs.ts";

/** Every file below a folder, as sorted paths relative to it; nested node_modules are other packages. */
export function filesBelow(folder: string, prefix = ""): string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true })
    .flatMap((entry) => {
      const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
      if (!entry.isDirectory()) return [path];
      return entry.name === "node_modules" ? [] : filesBelow(folder, path);
    })
    .sort();
}

/** The paragraphs of each documentation file of a package whose path matches, file by file. */
export function packageParagraphs(folder: string, wanted: RegExp): string[][] {
  if (!existsSync(folder))
    throw new Error(`expected the package folder ${folder}, found none: install it first`);
  return filesBelow(folder)
    .filter((path) => wanted.test(path))
    .flatMap((path) => {
      const format = proseFormat(path);
      return format === undefined ? [] : [paragraphs(readFileSync(join(folder, path), "utf8"), format)];
    });
}
