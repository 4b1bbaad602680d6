/** No built-in of Node is reachable from what a browser's bundle starts with. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };

const dist = join(import.meta.dirname, "../../dist");
const ports = packageJson.imports as unknown as Record<string, { readonly default: string }>;
const ENTRIES = [
  "engine/load.js",
  "browser/index.js",
  "browser/library-worker.js",
  "model/worker.js",
  "vectors/pairs-worker.js",
  ...readdirSync(join(dist, "conformance")).map((name) => `conformance/${name}`),
];

/** What a file imports: the names in `from "…"`, `import "…"` and `import("…")`. */
function imports(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)].map(([, name]) => name!);
}

/** Every file of the package that is reached from `file`, and every other name, as a bundler for browsers resolves them. */
function reach(file: string, reached: Set<string>): void {
  if (reached.has(file)) return;
  reached.add(file);
  for (const name of imports(file)) {
    if (name.startsWith("#")) reach(join(dist, "..", ports[name]!.default), reached);
    else if (name.startsWith("..")) reach(join(dirname(file), name), reached);
    else reached.add(name);
  }
}

it.each(ENTRIES.filter((name) => name.endsWith(".js")))("%s", (entry) => {
  const reached = new Set<string>();
  reach(join(dist, entry), reached);
  const names = [...reached].map((name) => (name.startsWith(dist) ? relative(dist, name) : name));
  expect(names.filter((name) => name.startsWith("node:") || /\.node\.js$/.test(name))).toEqual([]);
  if (entry === "browser/library-worker.js") expect(names).toContain(join("store", "open.browser.js"));
});
