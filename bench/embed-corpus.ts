// Embeds .cache/corpus-60k.jsonl (bench/corpus.ts) with MiniLM into .cache/minilm-60k.i16: 384 little-endian i16 each,
// the real vectors that recall is measured on. `npx tsx bench/embed-corpus.ts [workers]`; minutes.
import { readFileSync, writeFileSync } from "node:fs";
import { EmbedPool } from "selfsame/engine";

const texts = readFileSync(".cache/corpus-60k.jsonl", "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as string);
const pool = await EmbedPool.create({ workers: Number(process.argv[2] ?? 2) });
const started = performance.now();
let shown = 0;
const embeddings = await pool.embedMany(texts, {
  onProgress(done, total) {
    const seconds = (performance.now() - started) / 1000;
    if (seconds < shown + 10) return;
    shown = seconds;
    process.stderr.write(`${done} of ${total}, ${(done / seconds).toFixed(0)} texts/s\n`);
  },
});
pool.close();
const out = new DataView(new ArrayBuffer(texts.length * 384 * 2));
for (const [i, { vector }] of embeddings.entries())
  for (const [j, x] of vector.entries()) out.setInt16((i * 384 + j) * 2, x, true);
writeFileSync(".cache/minilm-60k.i16", new Uint8Array(out.buffer));
process.stderr.write(
  `.cache/minilm-60k.i16: ${texts.length} vectors, ${((performance.now() - started) / 1000).toFixed(0)} s\n`,
);
