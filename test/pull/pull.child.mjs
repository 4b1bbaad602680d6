// Pulls into a library, to be killed at any moment: node pull.child.mjs library address token mode
import { open } from "#dist/index.js";

const [library, address, token, mode] = process.argv.slice(2);
const opened = await open(library, { model: "tiny", workers: 1, namespace: "notes" });
process.stdout.write("open\n");
const { isSame } = await opened.pull(address, {
  ...{ token, mode, name: "source" },
  onProgress: ({ step, documents }) => process.stdout.write(`${step} ${documents}\n`),
});
await opened.close();
process.stdout.write(`done ${isSame}\n`);
