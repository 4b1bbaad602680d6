// Bundles the browser entry into one folder that any web server can serve and any bundler can take up again:
// index.js, its Workers, the wasm and the manifests, all addressed relative to each other. After `tsc`.
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
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
        .replaceAll('"../vectors/pairs-worker.js"', '"./pairs-worker.js"')
        .replaceAll('"../vectors/segment-worker.js"', '"./segment-worker.js"'),
    }));
    // SQLite's wasm is given to its glue; a bundler that goes by this address would look for a file that is not there.
    onLoad({ filter: /wa-sqlite\.mjs$/ }, async ({ path }) => ({
      contents: usedParts(await readFile(path, "utf8")).replace(
        'new URL("wa-sqlite.wasm",import.meta.url).href',
        '"sqlite.wasm"',
      ),
    }));
    // A thread that a library started cannot start others; see src/engine/threads.in-worker.browser.ts.
    onLoad({ filter: /model[\\/]worker\.js$|vectors[\\/](pairs|segment)-worker\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace(
        'import { threads } from "../engine/threads.js"',
        'import threads from "../engine/threads.in-worker.browser.js"',
      ),
    }));
  },
};

/**
 * Removes from SQLite's glue what src/store/sqlite-module.ts does not name. A third of the glue is C functions, hooks and
 * conversions that nobody calls, and a bundler cannot see that.
 */
function usedParts(glue) {
  const called = new Set(readFileSync("src/store/sqlite-module.ts", "utf8").match(/\b\w+(?=\()/g));
  const withoutHooks = UNUSED.reduce(withoutPart, glue)
    .replaceAll(/Module\["(\w+)"\]=\1;/g, (whole, name) => (called.has(name) ? whole : ""))
    .replaceAll(
      /\(function\(\)\{const AsyncFunction=.*?Module\["(\w+)"\]=function.*?\}\)\(\);/g,
      (hook, name) => (called.has(name) ? hook : ""),
    );
  const definition = /var (\w+)=Module\["\1"\]=wasmExports\["\w+"\];/g;
  const words = new Set(withoutHooks.replaceAll(definition, "").match(/\w+/g));
  // The glue itself calls some by name, without the underscore.
  return withoutHooks.replaceAll(definition, (whole, name) =>
    called.has(name) || words.has(name) || words.has(name.slice(1)) ? whole : "",
  );
}

/** From where to where the glue preloads files, makes C functions of JavaScript's, and converts strings that are not UTF-8. */
const UNUSED = [
  ["var asyncLoad=", "var FS_modeStringToFlags="],
  ["FS.createPreloadedFile=", "FS.staticInit();"],
  ['if(Module["preloadPlugins"])', 'if(Module["print"])'],
  ["var uleb128Encode=", "var wasmTable;"],
  ["var updateTableMap=", "var getCFunc="],
  ["var stringToUTF16=", "var _getTempRet0="],
];

function withoutPart(glue, [from, to]) {
  const [start, end] = [glue.indexOf(from), glue.indexOf(to)];
  if (start < 0 || end < start) throw new Error(`expected ${from} before ${to} in SQLite's glue`);
  return glue.slice(0, start) + glue.slice(end);
}

async function bundle(entryPoints) {
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
    plugins: [inOneFolder],
  });
}

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
// The page's half alone: bundled with the Worker's, it would share chunks with it and load what only the Worker needs.
await bundle({ index: "dist/browser/index.js" });
// The Workers share chunks, so that a thread fetches nothing again that the library's Worker has.
await bundle({
  "library-worker": "dist/browser/library-worker.js",
  "embed-worker": "dist/model/worker.js",
  "pairs-worker": "dist/vectors/pairs-worker.js",
  "segment-worker": "dist/vectors/segment-worker.js",
  conformance: "dist/conformance/index.js",
});
for (const name of ["engine.simd", "engine.soft", "engine.scalar", "sqlite"])
  cpSync(`build/${name}.wasm`, `${OUT}/${name}.wasm`);
cpSync("models", `${OUT}/models`, { recursive: true });
process.stdout.write(`${OUT}/\n`);
