// On one device: asks, and writes down what the answer was. A receipt holds digests, no text of the notes.
import { writeFile } from "node:fs/promises";
import { open, printReceipt } from "selfsame";
import { notes } from "./notes.js";

const library = await open(":memory:");
await library.add(notes);

const { results, receipt } = await library.search("how many tablets may I take?", { topK: 2 });
await writeFile("receipt.json", printReceipt(receipt));
await library.close();

console.log(`asked     ${receipt.query}`);
console.log(`found     ${results.map(({ path }) => path).join(", ")}`);
console.log(`receipt   ${receipt.digest}`);
