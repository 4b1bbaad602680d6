import { join } from "node:path";
import { defineConfig } from "vite";
import { besideThePage } from "./scripts/web/beside-the-page.ts";
import { precache } from "./scripts/web/precache.ts";

const root = import.meta.dirname;

/** Modules that lie beside the page, seen from its scripts in assets/. */
const BESIDE: Readonly<Record<string, string>> = {
  "selfsame/browser": "../selfsame/index.js",
  "selfsame/conformance": "../selfsame/conformance.js",
};
const external = Object.keys(BESIDE);

// The page, built into dist/web/ by `npm run build:web`.
export default defineConfig({
  root: join(root, "src/web"),
  // Relative addresses: any server can serve it from any folder.
  base: "./",
  plugins: [besideThePage(root), precache()],
  worker: { format: "es", rollupOptions: { external, output: { paths: BESIDE } } },
  build: {
    outDir: join(root, "dist/web"),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    rollupOptions: {
      external,
      input: {
        index: join(root, "src/web/index.html"),
        "service-worker": join(root, "src/web/service-worker.ts"),
      },
      output: {
        paths: BESIDE,
        entryFileNames: ({ name }) =>
          name === "service-worker" ? "service-worker.js" : "assets/[name]-[hash].js",
      },
    },
  },
});
