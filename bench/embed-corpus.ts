// Embeds .cache/corpus-60k.jsonl (bench/corpus.ts) with MiniLM into .cache/minilm-60k.i16: 384 little-endian i16 each,
// the real vectors that recall is measured on. `npx tsx bench/embed-corpus.ts [workers]`; minutes. A run that was
// stopped is resumed: what is done is in .cache/minilm-60k.part.
import { appendFileSync, existsSync, readFileSync, renameSync, statSync } from "node:fs";
import { EmbedPool } from "selfsame/engine";

const DIM = 384;
const BLOCK = 500; // texts between two writes
const PART = ".cache/minilm-60k.part";

const texts = readFileSync(".cache/corpus-60k.jsonl", "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as string);
const pool = await EmbedPool.create({ workers: Number(process.argv[2] ?? 2) });
const started = performance.now();
const first = existsSync(PART) ? Math.floor(statSync(PART).size / (DIM * 2)) : 0;
for (let at = first; at < texts.length; at += BLOCK) {
  const embeddings = await pool.embedMany(texts.slice(at, at + BLOCK));
  const out = new DataView(new ArrayBuffer(embeddings.length * DIM * 2));
  for (const [i, { vector }] of embeddings.entries())
    for (const [j, x] of vector.entries()) out.setInt16((i * DIM + j) * 2, x, true);
  appendFileSync(PART, new Uint8Array(out.buffer));
  const done = at + embeddings.length;
  const seconds = (performance.now() - started) / 1000;
  process.stderr.write(`${done} of ${texts.length}, ${((done - first) / seconds).toFixed(0)} texts/s\n`);
}
pool.close();
renameSync(PART, ".cache/minilm-60k.i16");
