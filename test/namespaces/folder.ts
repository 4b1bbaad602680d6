/** A data folder for one test, and its namespaces, closed and deleted at the end. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Namespaces, type NamespacesOptions, openNamespaces, type SelfsameError } from "selfsame";
import { afterEach, beforeEach } from "vitest";

export interface Folder {
  readonly path: string;
  open(options?: NamespacesOptions): Promise<Namespaces>;
}

export function folderForEachTest(): Folder {
  let path = "";
  const opened: Namespaces[] = [];
  beforeEach(() => {
    path = mkdtempSync(join(realpathSync(tmpdir()), "selfsame-namespaces-"));
  });
  afterEach(async () => {
    for (const namespaces of opened.splice(0)) await namespaces.close();
    rmSync(path, { recursive: true, force: true });
  });
  return {
    get path() {
      return path;
    },
    open: async (options = {}) => {
      const namespaces = await openNamespaces(path, { model: "tiny", workers: 1, ...options });
      opened.push(namespaces);
      return namespaces;
    },
  };
}

export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "none",
    (error: SelfsameError) => error.code,
  );

export const document = (word: string, i: number) => ({
  path: `${word}/${i}.md`,
  text: `The ${word} number ${i} is here.`,
});

export const documents = (word: string, count: number) =>
  Array.from({ length: count }, (_, i) => document(word, i));
