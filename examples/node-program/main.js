import { open } from "selfsame";
import { loadModel } from "selfsame/engine";

// A text becomes 384 integers, the same ones on every device. Their digest is short enough to compare by eye.
const { model } = await loadModel();
const { vector, digest } = model.embed("The quick brown fox");
console.log(`${vector.length} integers, digest ${digest}\n`);

// A library is one file. Adding is idempotent: run this again, and nothing is embedded anew.
const library = await open("garden.db");
await library.add([
  { path: "tomatoes.md", text: "# Tomatoes\n\nWater them early, at the root, never on the leaves." },
  { path: "roses.md", text: "# Roses\n\nCut them back in late winter, just above a bud that looks outward." },
  { path: "compost.md", text: "# Compost\n\nTurn the heap every two weeks. It should smell of forest." },
]);

// By meaning and by words at once. Neither "prune" nor "month" stands in the notes.
const { results, receipt } = await library.search("which month is best to prune?", { topK: 2 });
for (const { path, score, content } of results) {
  console.log(`${score.toFixed(4)}  ${path}`);
  console.log(`        ${content.split("\n").at(-1)}`);
}

// Who holds the same three notes and asks the same question gets this very digest, on a phone or in ten years.
console.log(`\nreceipt ${receipt.digest}`);
await library.close();
