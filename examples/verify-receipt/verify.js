// On another device: asks the same, and sees whether it gets the same, to the last bit of every score.
import { readFile } from "node:fs/promises";
import { open } from "selfsame";
import { notes } from "./notes.js";

const receipt = await readFile("receipt.json", "utf8");
const library = await open(":memory:");
await library.add(notes.toReversed()); // in which order notes came is all the same

const verdict = await library.verifyReceipt(receipt);
console.log(`verified  ${verdict.isSame ? "same answer" : "another answer"}`);

// Somebody changes one word of one note. The receipt no longer holds, and it is known why.
const [dose, ...others] = notes;
await library.add([{ ...dose, text: dose.text.replace("two", "ten") }, ...others]);

const { isSame, differences } = await library.verifyReceipt(receipt);
console.log(`changed   ${isSame ? "same answer" : "another answer"}`);
for (const { what, expected, actual } of differences) {
  console.log(`          ${what}: ${expected?.slice(0, 16)} became ${actual?.slice(0, 16)}`);
}
await library.close();
