// Packs and pull: `npm run bench -- packs`. Importing against embedding the same texts in the same run, the size of a pack, and
// a pull over HTTP after ten documents changed. `--chunks=N` (default 10,000) embeds them first, which takes minutes;
// `--large` adds an import of 100,000 chunks with vectors that were not computed.
import { mkdtempSync, openAsBlob, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { openNamespaces, type PullReport } from "selfsame";
import { Library } from "#dist/library/library.js";
import { openParts } from "#dist/library/open.js";
import { startServer } from "#dist/serve/index.js";
import { passages, smallSections } from "./ingest/documents.ts";
import { clusteredVectors } from "./vectors/data.ts";

type Row = Record<string, string | number>;
const CHUNKS = Number(process.argv.find((each) => each.startsWith("--chunks="))?.slice(9) ?? 10_000);
const LARGE_CHUNKS = 100_000;
const CHANGED = 10;
const VECTOR_BYTES = 768;
const TOKEN = "0123456789abcdef";
const TRIES = 5;
const round = (value: number, digits = 2) => Number(value.toFixed(digits));
const verdict = (pass: boolean) => (pass ? "yes" : "NO");
const say = (text: string) => process.stderr.write(`${text}\n`);

interface BenchNote {
  readonly path: string;
  readonly text: string;
}

export async function bench(): Promise<{ title: string; rows: Row[] }[]> {
  const folder = mkdtempSync(join(tmpdir(), "selfsame-bench-"));
  try {
    const { list } = passages();
    const notes = Array.from({ length: CHUNKS }, (_, i) => ({
      path: `${i % 50}/${i}.md`,
      text: `${list[i]!}\n`,
    }));
    const pack = join(folder, "notes.pack");
    const tables = [await importing(folder, pack, notes), await pulling(folder, pack, notes)];
    if (process.argv.includes("--large")) tables.push(await large(folder, list));
    return tables;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function opened(
  path: string,
): Promise<{ library: Library; parts: Awaited<ReturnType<typeof openParts>> }> {
  const parts = await openParts(path, { namespace: "notes" });
  return { library: new Library(parts), parts };
}

async function timed<T>(work: () => Promise<T>): Promise<{ seconds: number; value: T }> {
  const began = performance.now();
  const value = await work();
  return { seconds: (performance.now() - began) / 1000, value };
}

async function write(library: Library, file: string): Promise<void> {
  const pieces: Uint8Array[] = [];
  for await (const piece of library.exportPack()) pieces.push(piece);
  writeFileSync(file, Buffer.concat(pieces));
}

async function importing(folder: string, pack: string, notes: readonly BenchNote[]) {
  const source = (await opened(join(folder, "source.db"))).library;
  say(`embedding ${notes.length} documents`);
  const embedding = await timed(() => source.add(notes));
  const { chunks } = await source.stats();
  const root = await source.root();
  await write(source, pack);
  await source.close();
  const target = (await opened(join(folder, "target.db"))).library;
  await target.add([{ path: "warm.md", text: "warm" }]); // both have loaded the model
  const importing = await timed(async () => target.importPack(await openAsBlob(pack)));
  await target.remove(["warm.md"]);
  const isSame = (await target.root()) === root;
  await target.close();
  const texts = deflateRawSync(Buffer.from(notes.map(({ text }) => text).join(""))).length;
  const least = texts + chunks * VECTOR_BYTES;
  const size = statSync(pack).size;
  const faster = embedding.seconds / importing.seconds;
  return {
    title: `A pack of ${chunks} chunks, imported with a sample of its vectors verified`,
    rows: [
      {
        "embedding, s": round(embedding.seconds),
        "importing, s": round(importing.seconds),
        "times as fast": round(faster, 1),
        "≥ 30": verdict(faster >= 30),
        "same root": verdict(isSame),
        "pack, KB": round(size / 1000, 0),
        "texts deflated and vectors, KB": round(least / 1000, 0),
        ratio: round(size / least, 3),
        "≤ 1.15": verdict(size <= 1.15 * least),
      },
    ],
  };
}

/** A device and a server with the same documents, both from the pack; then some change on the server. */
async function pulling(folder: string, pack: string, notes: readonly BenchNote[]) {
  const namespaces = await openNamespaces(join(folder, "data"), { readers: 0 });
  await namespaces.use("notes", async (each) => each.importPack(await openAsBlob(pack), { verify: "none" }));
  await namespaces.close();
  const { library } = await opened(join(folder, "device.db"));
  try {
    await library.importPack(await openAsBlob(pack), { verify: "none" });
    return await pullsFrom(folder, library, notes);
  } finally {
    await library.close();
  }
}

async function pullsFrom(folder: string, library: Library, notes: readonly BenchNote[]) {
  const server = await startServer({
    data: join(folder, "data"),
    port: 0,
    token: TOKEN,
    allowPull: true,
    version: "0.0.0",
    namespaces: { readers: 0 },
    log: { destination: { write: () => undefined } },
  });
  const url = `${server.url}/v1/namespaces/notes`;
  const received = countFetched();
  try {
    const first = await library.pull(url, { token: TOKEN, mode: "mirror" });
    if (!first.isSame) throw new Error("expected equal libraries");
    const rows: Row[] = [];
    for (let turn = 0; turn < TRIES; turn++) {
      const changed = Array.from({ length: CHANGED }, (_, i) => {
        const { path, text } = notes[(turn * 997 + i * 331) % notes.length]!;
        return { path, text: `Changed ${turn}. ${text}` };
      });
      await fetch(`${server.url}/v1/hybrid/ingest?namespace=notes`, {
        method: "POST",
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
        body: JSON.stringify(changed),
      }).then((answer) => answer.text());
      const least = changed.reduce((sum, { text }) => sum + Buffer.byteLength(text) + VECTOR_BYTES, 0);
      received.bytes = 0;
      const { seconds, value } = await timed<PullReport>(() =>
        library.pull(url, { token: TOKEN, mode: "mirror" }),
      );
      const limit = 1.5 * least + 200_000;
      rows.push({
        documents: notes.length,
        updated: value.updated,
        "same root": verdict(value.isSame),
        "pull, s": round(seconds, 3),
        "< 1 s": verdict(seconds < 1),
        "pack, bytes": value.bytes,
        "all received, bytes": received.bytes,
        "documents and vectors, bytes": least,
        "≤ 1.5 × and 200 KB": verdict(received.bytes <= limit),
      });
    }
    return { title: `A pull over HTTP after ${CHANGED} documents changed`, rows };
  } finally {
    received.restore();
    await server.close();
  }
}

/** Counts the bytes of all answers. */
function countFetched(): { bytes: number; restore(): void } {
  const real = globalThis.fetch;
  const counted = {
    bytes: 0,
    restore() {
      globalThis.fetch = real;
    },
  };
  globalThis.fetch = async (...request: Parameters<typeof fetch>) => {
    const answer = await real(...request);
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        counted.bytes += piece.length;
        controller.enqueue(piece);
      },
    });
    return new Response(answer.body?.pipeThrough(count) ?? null, answer);
  };
  return counted;
}

async function large(folder: string, list: readonly string[]) {
  const source = await opened(join(folder, "large.db"));
  const vectors = clusteredVectors(LARGE_CHUNKS, 3);
  let next = 0;
  const embedCanonical = async (texts: readonly Uint8Array[]) =>
    texts.map(() => vectors.at(next++ % vectors.count));
  Object.defineProperty(source.parts.embedder, "embedCanonical", { value: embedCanonical });
  say(`adding ${LARGE_CHUNKS} chunks`);
  await source.library.add(smallSections(list, LARGE_CHUNKS));
  const { chunks } = await source.library.stats();
  const pack = join(folder, "large.pack");
  await write(source.library, pack);
  await source.library.close();
  const target = (await opened(join(folder, "large-target.db"))).library;
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 50);
  const before = process.memoryUsage().rss;
  const { seconds } = await timed(async () => target.importPack(await openAsBlob(pack), { verify: "none" }));
  clearInterval(watch);
  await target.close();
  return {
    title: `An import of ${chunks} chunks, none verified before`,
    rows: [
      {
        "import, s": round(seconds, 1),
        "< 60 s": verdict(seconds < 60),
        "memory more than before, MB": round((peak - before) / 2 ** 20, 0),
        "pack, MB": round(statSync(pack).size / 1e6, 0),
      },
    ],
  };
}
