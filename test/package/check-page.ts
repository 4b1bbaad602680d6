import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

const WASM = ["engine.simd", "engine.soft", "engine.scalar", "sqlite"];
const WORKERS = ["library-worker", "embed-worker", "pairs-worker"];

/** What a bundler wrote for a page with a library: all engines, SQLite and Workers are there, and nothing of Node. */
export function checkPage(assets: string): void {
  const files = readdirSync(assets);
  for (const name of WASM) expect(files).toContainEqual(expect.stringMatching(`^${name}-.+\\.wasm$`));
  for (const name of WORKERS) expect(files).toContainEqual(expect.stringMatching(`^${name}-.+\\.js$`));
  for (const file of files.filter((name) => name.endsWith(".js"))) {
    const text = readFileSync(join(assets, file), "utf8");
    expect(/(from|import|require)\s*\(?\s*["'`]node:|__vite-browser-external/.exec(text), file).toBeNull();
  }
}
