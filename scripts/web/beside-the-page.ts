import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** Where folders of the repository lie beside the page, and which of their files are left out. */
const FOLDERS = [
  // What the page runs is, byte by byte, what the package ships.
  { from: "dist/browser.bundle", to: "selfsame", without: /\.map$/ },
  { from: "test-vectors", to: "test-vectors", without: /README\.md$/ },
];

/** Copies what the page reads by its own name: the library's bundle and the vectors. */
export function besideThePage(root: string): Plugin {
  return {
    name: "selfsame-beside-the-page",
    apply: "build",
    generateBundle() {
      for (const { from, to, without } of FOLDERS) {
        for (const file of readdirSync(join(root, from), { recursive: true, encoding: "utf8" })) {
          const path = join(root, from, file);
          if (!statSync(path).isFile() || without.test(file)) continue;
          const fileName = `${to}/${file.replaceAll("\\", "/")}`;
          this.emitFile({ type: "asset", fileName, source: readFileSync(path) });
        }
      }
    },
  };
}
