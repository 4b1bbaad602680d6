/** `<engine> row.cli.mjs <effort>`: one JSON document on stdout, progress on stderr. */
import { readFile } from "node:fs/promises";
import { runConformance } from "../../dist/conformance/index.js";
import { open } from "../../dist/index.js";
import { runRow } from "./row.mjs";

const vectors = new URL("../../test-vectors/", import.meta.url);
const runs = await runRow({
  runConformance,
  open,
  effort: process.argv[2],
  read: (file) => readFile(new URL(file, vectors), "utf8"),
  log: (line) => console.error(line),
});
const version = globalThis.Deno?.version.deno ?? globalThis.Bun?.version ?? process.versions.node;
console.log(JSON.stringify({ version, v8: process.versions.v8, cpu: process.arch, runs }));
process.exit(0);
