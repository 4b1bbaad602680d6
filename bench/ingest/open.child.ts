// tsx open.child.ts <library>: opens it in a fresh process and says how long the first semantic result took, in ms.
import { openParts } from "#dist/library/open.js";

const began = performance.now();
const before = process.cpuUsage();
const parts = await openParts(process.argv[2]!, { workers: 1 });
const opened = performance.now();
const index = await parts.semantic.current(parts.state.root());
const loaded = performance.now();
const query = index.vector(index.exact(new Int16Array(index.dim), { k: 1 })[0]!.id)!;
const hits = index.answersByGraph ? index.search(query) : index.exact(query);
const found = performance.now();
const { user, system } = process.cpuUsage(before);
// A query must be embedded too, the first time with loading the model.
await parts.embedder.embed("how are ties broken?");
const embedded = performance.now();
process.stdout.write(
  JSON.stringify({
    chunks: index.size,
    hits: hits.length,
    openMs: opened - began,
    indexMs: loaded - opened,
    searchMs: found - loaded,
    cpuMs: (user + system) / 1000,
    embedMs: embedded - found,
  }),
);
parts.database.close();
process.exit(0);
