import { Device } from "./device.js";

const laptop = await Device.start();
const phone = await Device.start();

// A hundred notes that both hold, taken in opposite orders.
const notes = Array.from({ length: 100 }, (_, i) => ({
  path: `log/day-${i}.md`,
  text: `# Day ${i}\n\nWalked ${(i * 37) % 23} km, read ${(i * 11) % 19} pages.`,
  modifiedAt: i,
}));
for (const note of notes) await laptop.keep(note);
for (const note of notes.toReversed()) await phone.keep(note);

// Then they go apart: each writes a note of its own, and both write one anew.
await laptop.keep({ path: "packing.md", text: "# Packing\n\nTent, stove, two ropes.", modifiedAt: 1000 });
await phone.keep({ path: "route.md", text: "# Route\n\nOver the pass, down to the lake.", modifiedAt: 1001 });
await laptop.keep({ path: "log/day-7.md", text: "# Day 7\n\nRested by the river.", modifiedAt: 1002 });
await phone.keep({ path: "log/day-7.md", text: "# Day 7\n\nRested by the lake.", modifiedAt: 1003 });
await show("laptop", laptop);
await show("phone", phone);

// The phone calls the laptop. All that passes between them is JSON, and little of it.
let questions = 0;
let bytes = 0;
await phone.sync(async (question, argument) => {
  const sent = JSON.stringify([question, argument]);
  const received = JSON.stringify((await laptop.answer[question](argument)) ?? null);
  questions++;
  bytes += sent.length + received.length;
  return JSON.parse(received);
});
console.log(`\nsynced with ${questions} questions, ${bytes} bytes both ways\n`);

await show("laptop", laptop);
await show("phone", phone);
await laptop.library.close();
await phone.library.close();

/** The root stands for the documents, the receipt for the answer: equal digests, equal things. */
async function show(name, { library }) {
  const { results, receipt } = await library.search("where did we rest?", { topK: 1 });
  const answer = results[0].content.split("\n").at(-1);
  const [root, digest] = [await library.root(), receipt.digest].map((hex) => hex.slice(0, 16));
  console.log(`${name.padEnd(6)}  root ${root}  receipt ${digest}  ${answer}`);
}
