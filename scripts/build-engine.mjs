// Compiles assembly/ once per target of asconfig.json: one source, three builds (SPEC §1.3).
// `npm run build:engine -- simd` builds one of them, `-- debug` the one with names and assertions.
import { copyFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { writeExports } from "./generate-exports.mjs";

const named = process.argv.slice(2);
const targets = named.length > 0 ? named : ["simd", "soft", "scalar"];
mkdirSync("build", { recursive: true });
// Beside the engines, where a browser's bundler finds it: the pinned SQLite, as the package has it.
copyFileSync(
  fileURLToPath(import.meta.resolve("@journeyapps/wa-sqlite/dist/wa-sqlite.wasm")),
  "build/sqlite.wasm",
);
// The host is compiled against the exports of this source.
if (writeExports()) process.stdout.write("src/engine/exports.generated.ts\n");
for (const target of targets) {
  const { error, stderr } = await asc.main(["--config", "asconfig.json", "--target", target]);
  if (error) {
    process.stderr.write(`${stderr}\n${error.message}\n`);
    process.exit(1);
  }
  process.stdout.write(`build/engine.${target}.wasm\n`);
}
