import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { DocumentInput } from "#dist/index.js";

const CORPUS = join(import.meta.dirname, "../../test-vectors/corpus");

/** The published documents. */
export const corpus: DocumentInput[] = readdirSync(CORPUS, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .map((file) => ({
    path: relative(CORPUS, file).split(sep).join("/"),
    text: readFileSync(file, "utf8"),
    modifiedAt: 1_700_000_000_000,
  }));

/** Small documents that differ, quick to embed with the model `tiny`. */
export function notes(prefix: string, count: number): DocumentInput[] {
  return Array.from({ length: count }, (_, i) => ({
    path: `${prefix}/${i}.md`,
    text: `# Note ${i} of ${prefix}\n\nTies are broken by path, then by sequence ${i * 7}.\n`,
  }));
}
