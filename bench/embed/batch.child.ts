// One of two independent processes that share a batch: says "ready" once the model is loaded and warm, then embeds
// the texts it is sent and says "done".
import { selfsameEmbedder } from "./selfsame.ts";

const own = await selfsameEmbedder("simd");
process.on("message", async (texts: string[]) => {
  for (const text of texts) await own.embed({ text });
  process.send!("done");
});
process.send!("ready");
