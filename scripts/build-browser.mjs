// Bundles the browser entry into one folder that any web server can serve and any bundler can take up again:
// index.js, its Workers, the wasm and the manifests, all addressed relative to each other. After `tsc`.
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { build } from "esbuild";

const OUT = "dist/browser.bundle";
const ENTRIES = {
  index: "dist/browser/index.js",
  "library-worker": "dist/browser/library-worker.js",
  "embed-worker": "dist/model/worker.js",
  "pairs-worker": "dist/vectors/pairs-worker.js",
};

/** In the bundle everything lies in one folder. The form new URL("…", import.meta.url) stays, for the next bundler. */
const inOneFolder = {
  name: "in-one-folder",
  setup({ onLoad }) {
    onLoad({ filter: /platform[\\/]browser\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8"))
        .replaceAll('"../../build/', '"./')
        .replaceAll("`../../models/", "`./models/")
        .replaceAll('"../model/worker.js"', '"./embed-worker.js"')
        .replaceAll('"../vectors/pairs-worker.js"', '"./pairs-worker.js"'),
    }));
  },
};

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
await build({
  entryPoints: ENTRIES,
  outdir: OUT,
  bundle: true,
  splitting: true,
  chunkNames: "chunk-[hash]",
  format: "esm",
  platform: "browser",
  target: "es2022",
  minify: true,
  legalComments: "none",
  plugins: [inOneFolder],
});
for (const name of ["engine.simd", "engine.soft", "engine.scalar", "sqlite"])
  cpSync(`build/${name}.wasm`, `${OUT}/${name}.wasm`);
cpSync("models", `${OUT}/models`, { recursive: true });
process.stdout.write(`${OUT}/\n`);
