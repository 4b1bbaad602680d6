// Ingests files into a library, to be killed at any moment: node ingest.child.mjs library chunks vectors
import { open } from "#dist/index.js";

const [library, chunks, vectors] = process.argv.slice(2);
const opened = await open(library, { model: "tiny" });
process.stdout.write("open\n");
await opened.ingest({ chunks, vectors: [vectors] });
await opened.close();
process.stdout.write("done\n");
