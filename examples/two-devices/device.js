import { parentPort, workerData } from "node:worker_threads";
import { open, portRemote, serveRemote } from "selfsame";

// A device: a thread with its own library, which no other thread can see. It answers the other device on one port and
// pulls through another. Over a network, the address of a server or of an exported folder stands in place of the port.
const { otherName, answers, asks } = workerData;
const library = await open(":memory:");
serveRemote(library, answers);
const other = portRemote(asks, otherName);

const commands = {
  keep: (notes) => library.add(notes),
  forget: (paths) => library.remove(paths),
  /** What would change, without changing it. */
  preview: async () => (await library.pull(other, { dryRun: true })).changes,
  /** Brings over what the other device changed. If both changed a note, the newer one stays. */
  pull: () =>
    library.pull(other, {
      conflicts: ({ ours, theirs }) => (theirs?.modifiedAt > ours?.modifiedAt ? "theirs" : "ours"),
    }),
  async answer(query) {
    const { results, receipt } = await library.search(query, { topK: 1 });
    const { documents } = await library.stats();
    return { documents, root: await library.root(), receipt: receipt.digest, answer: results[0].content };
  },
  close: () => library.close(),
};

parentPort.on("message", async ([command, argument]) =>
  parentPort.postMessage((await commands[command](argument)) ?? null),
);
