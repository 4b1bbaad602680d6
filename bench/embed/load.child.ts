// A process of its own that loads one embedder and embeds one text, for the time from nothing to the first vector.
// argv: a rival's name or "selfsame"; the sample comes as a message, the figures go back as one.
import { loadPeers, RIVALS, type Sample } from "./peers.ts";

export interface LoadFigures {
  ms: number;
  wasmBytes: number | undefined; // known of our own engine only
  peakRssBytes: number;
}

const name = process.argv[2];
process.once("message", async (sample: Sample) => {
  const start = performance.now();
  let wasmBytes: number | undefined;
  if (name === "selfsame") {
    const { selfsameEmbedder } = await import("./selfsame.ts"); // its modules are part of the time, as the peers' are
    const own = await selfsameEmbedder("simd");
    await own.embed(sample);
    wasmBytes = own.wasmBytes();
  } else {
    const rival = RIVALS.find((each) => each.name === name)!;
    await (await rival.load(await loadPeers())).embed(sample);
  }
  const ms = performance.now() - start;
  process.send!({ ms, wasmBytes, peakRssBytes: process.resourceUsage().maxRSS * 1024 } satisfies LoadFigures);
  process.disconnect();
});
