/**
 * `<engine> shared-library.cli.mjs <library> <name> <count>`: adds documents one by one, searches after each, and prints
 * them as JSON.
 */
import { open } from "../../dist/index.js";

const [place, name, count] = process.argv.slice(2);
const documents = Array.from({ length: Number(count) }, (_, i) => {
  const word = `${name.replace(/[^a-z0-9]/gi, "")}note${i}`;
  return { path: `${word}.md`, text: `# ${word}\n\nWritten by ${word}, which nobody else wrote.\n` };
});
const library = await open(place, { model: "tiny", workers: 1, timeoutMs: 120_000 });
for (const document of documents) {
  await library.add([document]);
  const { results } = await library.search(document.text, { mode: "lexical" });
  if (results[0]?.path !== document.path)
    throw new Error(`expected to find ${document.path}, got ${results[0]?.path}`);
}
await library.close();
console.log(JSON.stringify(documents));
process.exit(0);
