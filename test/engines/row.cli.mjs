/** `<engine> row.cli.mjs <effort>`: one JSON document on stdout, progress on stderr. */
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runConformance } from "../../dist/conformance/index.js";
import { open } from "../../dist/index.js";
import { runRow } from "./row.mjs";

const vectors = new URL("../../test-vectors/", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "selfsame-engines-"));
const runs = await runRow({
  runConformance,
  open,
  place: join(folder, "library.db"),
  effort: process.argv[2],
  read: (file) => readFile(new URL(file, vectors), "utf8"),
  log: (line) => console.error(line),
});
rmSync(folder, { recursive: true, force: true });
const version = globalThis.Deno?.version.deno ?? globalThis.Bun?.version ?? process.versions.node;
console.log(JSON.stringify({ version, v8: process.versions.v8, cpu: process.arch, runs }));
process.exit(0);
