// Bundles the browser entry into one folder that any web server can serve and any bundler can take up again:
// index.js, its Workers, the wasm and the manifests, all addressed relative to each other. After `tsc`.
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { build } from "esbuild";

const OUT = "dist/browser.bundle";

/** In the bundle everything lies in one folder. The form new URL("…", import.meta.url) stays, for the next bundler. */
const inOneFolder = {
  name: "in-one-folder",
  setup({ onLoad }) {
    onLoad({ filter: /(engine|store)[\\/][^\\/]*\.browser\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8"))
        .replaceAll('"../../build/', '"./')
        .replaceAll("../../models/", "./models/")
        .replaceAll('"../model/worker.js"', '"./embed-worker.js"')
        .replaceAll('"../vectors/pairs-worker.js"', '"./pairs-worker.js"'),
    }));
    // SQLite's wasm is given to its glue; a bundler that goes by this address would look for a file that is not there.
    onLoad({ filter: /wa-sqlite\.mjs$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace(
        'new URL("wa-sqlite.wasm",import.meta.url).href',
        '"sqlite.wasm"',
      ),
    }));
  },
};

/** The threads that a library starts cannot start others; see src/engine/threads.in-worker.browser.ts. */
const inThread = {
  name: "in-thread",
  setup({ onResolve }) {
    onResolve({ filter: /^#threads$/ }, () => ({
      path: resolve("dist/engine/threads.in-worker.browser.js"),
    }));
  },
};

async function bundle(entryPoints, plugins) {
  await build({
    entryPoints,
    outdir: OUT,
    bundle: true,
    splitting: true,
    chunkNames: "chunk-[hash]",
    format: "esm",
    platform: "browser",
    target: "es2022",
    minify: true,
    legalComments: "none",
    plugins,
  });
}

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
// The page's half alone: bundled with the Worker's, it would share chunks with it and load what only the Worker needs.
await bundle({ index: "dist/browser/index.js" }, [inOneFolder]);
await bundle(
  { "library-worker": "dist/browser/library-worker.js", conformance: "dist/conformance/index.js" },
  [inOneFolder],
);
await bundle({ "embed-worker": "dist/model/worker.js", "pairs-worker": "dist/vectors/pairs-worker.js" }, [
  inThread,
  inOneFolder,
]);
for (const name of ["engine.simd", "engine.soft", "engine.scalar", "sqlite"])
  cpSync(`build/${name}.wasm`, `${OUT}/${name}.wasm`);
cpSync("models", `${OUT}/models`, { recursive: true });
process.stdout.write(`${OUT}/\n`);
