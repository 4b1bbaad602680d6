// What a browser downloads before its first search, besides the model: `npm run size` prints it and fails above the limit.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const FOLDER = "dist/browser.bundle";
const LIMIT_KB = 800;

/** Every file that is reached from these by imports: all of them are fetched. */
function reach(name, reached = new Set()) {
  if (reached.has(name)) return reached;
  reached.add(name);
  const text = readFileSync(`${FOLDER}/${name}`, "utf8");
  for (const [, next] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) reach(next, reached);
  return reached;
}

const scripts = new Set(
  ["index.js", "library-worker.js", "embed-worker.js"].flatMap((name) => [...reach(name)]),
);
const files = [...scripts, "engine.simd.wasm", "sqlite.wasm"];
const rows = files.map((file) => {
  const bytes = readFileSync(`${FOLDER}/${file}`);
  return { file, bytes: bytes.length, gzipped: gzipSync(bytes, { level: 9 }).length };
});
const total = rows.reduce((sum, { gzipped }) => sum + gzipped, 0);
for (const { file, bytes, gzipped } of [...rows].sort((a, b) => b.gzipped - a.gzipped))
  process.stdout.write(`${kilobytes(gzipped)} KB  (${kilobytes(bytes)})  ${file}\n`);
const others = readdirSync(FOLDER).filter((name) => /\.(js|wasm)$/.test(name) && !files.includes(name));
process.stdout.write(
  `${kilobytes(total)} KB gzipped, at most ${LIMIT_KB}; not fetched: ${others.join(", ")}\n`,
);
if (total > LIMIT_KB * 1000) process.exit(1);

function kilobytes(bytes) {
  return (bytes / 1000).toFixed(1).padStart(7);
}
