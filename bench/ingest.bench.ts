// Indexing: `npm run bench -- ingest`. What is not inference as a share of it; chunks per second where embeddings are
// known; opening a large library. The last takes minutes, `--no-open` leaves it out.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadModel } from "selfsame/engine";
import { Library } from "#dist/library/library.js";
import type { LibraryParts } from "#dist/library/library-parts.js";
import { openParts } from "#dist/library/open.js";
import { type BenchDocument, documents, passages, smallSections } from "./ingest/documents.ts";
import { clusteredVectors, type VectorSet } from "./vectors/data.ts";

type Row = Record<string, string | number>;
const SAMPLE = 300; // chunks that are embedded to learn how long all would take
const OPEN_CHUNKS = 100_000;
const OPENINGS = 5;
const TRIES = 3;
const round = (value: number, digits = 2) => Number(value.toFixed(digits));
const verdict = (pass: boolean) => (pass ? "yes" : "NO");
const say = (text: string) => process.stderr.write(`${text}\n`);

export async function bench(): Promise<{ title: string; rows: Row[] }[]> {
  const folder = mkdtempSync(join(tmpdir(), "selfsame-bench-"));
  try {
    const { name, list } = passages();
    const tables = await indexing(folder, name, documents(list));
    if (!process.argv.includes("--no-open")) tables.push(await opening(folder, list));
    return tables;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function indexing(folder: string, name: string, files: BenchDocument[]) {
  const root = join(folder, "files");
  for (const { path, text } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const parts = await openParts(join(folder, "library.db"), { workers: 1 });
  const library = new Library(parts);
  lendVectors(parts, clusteredVectors(4096));

  say(`indexing ${files.length} files without inference`);
  const rest = await timed(() => library.addFiles([root], { root }));
  const { chunks, tokens } = await library.stats();
  const inference = await inferenceOf(library, files, chunks);

  say("adding them again, vectors known");
  const known = await addAgain(library, files, chunks);
  await parts.semantic.current(await library.root());
  const followed = await addAgain(library, files, chunks);
  await library.close();

  const share = rest.cpuMs / inference.cpuMs;
  const rows: Row[] = [
    {
      files: files.length,
      chunks,
      "tokens per chunk": round(tokens / chunks, 0),
      "all but inference, s": round(rest.ms / 1000),
      "CPU s": round(rest.cpuMs / 1000),
      "inference, s": round(inference.ms / 1000, 0),
      "its CPU s": round(inference.cpuMs / 1000, 0),
      "share of CPU": `${round(share * 100)} %`,
      "≤ 10 %": verdict(share <= 0.1),
    },
  ];
  return [
    { title: `Indexing files (${name}): read, chunk, hash, store, root against inference, one thread`, rows },
    {
      title: `Adding documents whose embeddings are known (best of ${TRIES}: other work on the machine only adds)`,
      rows: [
        { what: "add()", ...known },
        { what: "add(), and the index in memory follows", ...followed },
      ],
    },
  ];
}

async function addAgain(library: Library, files: readonly BenchDocument[], chunks: number): Promise<Row> {
  const tries: Time[] = [];
  for (let i = 0; i < TRIES; i++) {
    await library.remove(files.map(({ path }) => path));
    tries.push(await timed(() => library.add(files)));
  }
  const best = (key: keyof Time) => (chunks / Math.min(...tries.map((time) => time[key]))) * 1000;
  return {
    chunks,
    "chunks/s": Math.round(best("ms")),
    "chunks per CPU second": Math.round(best("cpuMs")),
    "≥ 3,000": verdict(best("ms") >= 3000),
  };
}

/** Gives the library vectors for nothing, so that all that is left is everything but inference. */
function lendVectors({ embedder }: LibraryParts, vectors: VectorSet): void {
  let next = 0;
  const embedCanonical = async (texts: readonly Uint8Array[]) =>
    texts.map(() => vectors.at(next++ % vectors.count));
  Object.defineProperty(embedder, "embedCanonical", { value: embedCanonical });
}

/** How long the model would take for all chunks, by a sample of them spread over the files. */
async function inferenceOf(library: Library, files: readonly BenchDocument[], chunks: number): Promise<Time> {
  const all: string[] = [];
  for (const { path } of files) for (const { text } of await library.chunks(path)) all.push(text);
  const sample = Array.from({ length: SAMPLE }, (_, i) => all[Math.floor((i * all.length) / SAMPLE)]!);
  const { model } = await loadModel();
  say(`embedding ${SAMPLE} of ${chunks} chunks`);
  for (const text of sample.slice(0, 30)) model.embed(text);
  const { ms, cpuMs } = await timed(async () => {
    for (const text of sample) model.embed(text);
  });
  return { ms: (ms / SAMPLE) * chunks, cpuMs: (cpuMs / SAMPLE) * chunks };
}

async function opening(folder: string, list: readonly string[]): Promise<{ title: string; rows: Row[] }> {
  const path = join(folder, "large.db");
  const parts = await openParts(path);
  const library = new Library(parts);
  lendVectors(parts, clusteredVectors(OPEN_CHUNKS, 3));
  say(`adding ${OPEN_CHUNKS} chunks`);
  const adding = await timed(() => library.add(smallSections(list, OPEN_CHUNKS)));
  say("loading the vectors");
  const graph = await timed(async () => parts.semantic.current(await library.root()));
  await library.close();
  const runs = Array.from({ length: OPENINGS }, () => openOnce(path));
  const total = ({ openMs, indexMs, searchMs }: Opening) => openMs + indexMs + searchMs;
  const best = runs.reduce((a, b) => (total(b) < total(a) ? b : a));
  return {
    title: `Opening a library of ${runs[0]!.chunks} chunks in a fresh process (best of ${OPENINGS})`,
    rows: [
      {
        "open, ms": round(best.openMs, 0),
        "vectors, ms": round(best.indexMs, 0),
        "first search, ms": round(best.searchMs, 1),
        "to the first result, s": round(total(best) / 1000),
        "≤ 1.5 s": verdict(total(best) <= 1500),
        "its CPU s": round(best.cpuMs / 1000),
        "embedding a query, model loaded for it, ms": round(best.embedMs, 0),
        "made before: adding, s": round(adding.ms / 1000, 1),
        "vectors, s": round(graph.ms / 1000, 1),
      },
    ],
  };
}

interface Opening {
  chunks: number;
  hits: number;
  openMs: number;
  indexMs: number;
  searchMs: number;
  cpuMs: number;
  embedMs: number;
}

function openOnce(path: string): Opening {
  const script = join(import.meta.dirname, "ingest/open.child.ts");
  const { stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", script, path]);
  const found = JSON.parse(stdout.toString() || `{"error": ${JSON.stringify(stderr.toString())}}`) as Opening;
  if (found.hits !== 10) throw new Error(`expected 10 hits, got ${JSON.stringify(found)}`);
  return found;
}

interface Time {
  readonly ms: number;
  /** Of this process: what does not depend on who else uses the machine. */
  readonly cpuMs: number;
}

async function timed(work: () => Promise<unknown>): Promise<Time> {
  const began = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - began, cpuMs: (user + system) / 1000 };
}
