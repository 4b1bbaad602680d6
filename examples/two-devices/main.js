import { once } from "node:events";
import { MessageChannel, Worker } from "node:worker_threads";

const workers = [];
// Two devices and the two directions between them.
const toLaptop = new MessageChannel();
const toPhone = new MessageChannel();
const laptop = device("phone", toLaptop.port1, toPhone.port2);
const phone = device("laptop", toPhone.port1, toLaptop.port2);

// The laptop has a hundred notes. The phone pulls them: texts and vectors, so that it has nothing to compute.
const notes = Array.from({ length: 100 }, (_, i) => ({
  path: `log/day-${i}.md`,
  text: `# Day ${i}\n\nWalked ${(i * 37) % 23} km, read ${(i * 11) % 19} pages.`,
  modifiedAt: i,
}));
await laptop("keep", notes);
await pull("phone", phone);
await pull("laptop", laptop);

// Then they go apart: each writes a note, each deletes one, and both change the same one.
await laptop("keep", [
  { path: "packing.md", text: "# Packing\n\nTent, stove, two ropes.", modifiedAt: 1000 },
]);
await phone("keep", [{ path: "route.md", text: "# Route\n\nOver the pass, to the lake.", modifiedAt: 1001 }]);
await laptop("forget", ["log/day-3.md"]);
await phone("forget", ["log/day-4.md"]);
await laptop("keep", [{ path: "log/day-7.md", text: "# Day 7\n\nRested by the river.", modifiedAt: 1002 }]);
await phone("keep", [{ path: "log/day-7.md", text: "# Day 7\n\nRested by the lake.", modifiedAt: 1003 }]);
await show();

// What would the laptop get? Then it pulls, and the phone pulls what the laptop has.
for (const { change, path } of (await laptop("preview")).toSorted((a, b) => (a.path < b.path ? -1 : 1)))
  console.log(`        ${change} ${path}`);
await pull("laptop", laptop);
await pull("phone", phone);
await show();
for (const ask of [laptop, phone]) await ask("close");
for (const worker of workers) await worker.terminate();

/** Starts a device and returns how to ask it. */
function device(otherName, answers, asks) {
  const worker = new Worker(new URL("device.js", import.meta.url), {
    workerData: { otherName, answers, asks },
    transferList: [answers, asks],
  });
  workers.push(worker);
  return async (command, argument) => {
    worker.postMessage([command, argument]);
    const [reply] = await once(worker, "message");
    return reply;
  };
}

async function pull(name, ask) {
  const { added, updated, removed, conflicts, bytes, vectors, embedded } = await ask("pull");
  console.log(
    `${name.padEnd(6)}  pulled: ${added} added, ${updated} updated, ${removed} removed, ${conflicts} in conflict; ` +
      `${bytes} bytes, ${vectors} vectors, ${embedded} computed`,
  );
}

/** The root stands for the documents, the receipt for the answer: equal digests, equal things. */
async function show() {
  console.log();
  for (const [name, ask] of Object.entries({ laptop, phone })) {
    const { documents, root, receipt, answer } = await ask("answer", "where did we rest?");
    const says = answer.split("\n").at(-1);
    const digests = `root ${root.slice(0, 12)}, receipt ${receipt.slice(0, 12)}`;
    console.log(`${name.padEnd(6)}  ${documents} notes, ${digests}: ${says}`);
  }
  console.log();
}
