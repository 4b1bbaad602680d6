/** `<engine> shared-library.cli.mjs <library> <name> <count>`: adds documents one by one and searches after each. */
import { open } from "../../dist/index.js";
import { documentsOf } from "./shared-documents.mjs";

const [place, name, count] = process.argv.slice(2);
const library = await open(place, { model: "tiny", workers: 1, timeoutMs: 120_000 });
for (const document of documentsOf(name, Number(count))) {
  await library.add([document]);
  const { results } = await library.search(document.text, { mode: "lexical" });
  if (results[0]?.path !== document.path)
    throw new Error(`expected to find ${document.path}, got ${results[0]?.path}`);
}
await library.close();
process.exit(0);
