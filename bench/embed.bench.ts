// One text to one vector, one thread, against other wasm runtimes of the same model in the same run. Selfsame and
// candle start from the text; onnxruntime is given token ids, so its times leave tokenising out.
// `--peers` times the peers alone.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { LoadFigures } from "./embed/load.child.ts";
import { type Embedder, loadPeers, type Peers, RIVALS } from "./embed/peers.ts";
import { matrixKernel, selfsameEmbedder, selfsamePool } from "./embed/selfsame.ts";
import { samplesOfLength } from "./embed/texts.ts";
import { interleaved, median } from "./embed/timing.ts";

type Row = Record<string, string | number>;
type Tokenizer = (text: string) => number[];

const TEXTS = 4; // of each length, taken in turn
const ROUNDS = new Map([
  [16, 41],
  [64, 25],
  [128, 17],
  [256, 11],
]);
const WARM_UP_MS = 1500;

const round = (value: number, digits = 1) => Number(value.toFixed(digits));
const verdict = (pass: boolean) => (pass ? "yes" : "NO");
const peersAlone = () => process.argv.includes("--peers");

async function speed(peers: Peers, tokenize: Tokenizer): Promise<Row[]> {
  const rivals: Embedder[] = [];
  for (const rival of RIVALS) rivals.push(await rival.load(peers));
  const own = peersAlone() ? [] : [await selfsameEmbedder("simd")];
  const rows: Row[] = [];
  for (const [tokens, rounds] of ROUNDS) {
    const samples = samplesOfLength(tokenize, tokens, TEXTS);
    const contenders = [...rivals, ...own].map(
      (each) => (turn: number) => each.embed(samples[turn % TEXTS]!),
    );
    const times = await interleaved(contenders, rounds, WARM_UP_MS);
    const row: Row = { tokens };
    for (const [i, { name }] of RIVALS.entries()) row[`${name} ms`] = round(times[i]!);
    const ours = times[RIVALS.length];
    if (ours !== undefined) {
      row["selfsame ms"] = round(ours);
      for (const [i, { name, goal }] of RIVALS.entries())
        row[`of ${name} (≤ ${goal})`] = round(ours / times[i]!, 3);
      row["pass"] = verdict(RIVALS.every(({ goal }, i) => ours <= goal * times[i]!));
    }
    rows.push(row);
  }
  return rows;
}

/** The builds without floats, at the length of a query. */
async function otherBuilds(tokenize: Tokenizer): Promise<Row[]> {
  const samples = samplesOfLength(tokenize, 16, TEXTS);
  const rows: Row[] = [];
  for (const [build, goal] of [["soft", 150] as const, ["scalar", 800] as const]) {
    const own = await selfsameEmbedder(build);
    const [ms] = await interleaved([(turn) => own.embed(samples[turn % TEXTS]!)], 9, WARM_UP_MS);
    rows.push({ build, tokens: 16, ms: round(ms!), "goal ms": goal, pass: verdict(ms! <= goal) });
  }
  return rows;
}

function child(file: string, ...args: string[]): ChildProcess {
  const forked = fork(join(import.meta.dirname, "embed", file), args);
  forked.on("exit", (code) => {
    if (code !== 0) throw new Error(`${file} ${args.join(" ")} ended with code ${code}`);
  });
  return forked;
}

async function load(tokenize: Tokenizer): Promise<Row[]> {
  const sample = samplesOfLength(tokenize, 16, 1)[0]!;
  const rows: Row[] = [];
  for (const name of [...RIVALS.map((rival) => rival.name), ...(peersAlone() ? [] : ["selfsame"])]) {
    const runs: LoadFigures[] = [];
    for (let run = 0; run < 3; run++) {
      const loader = child("load.child.ts", name);
      loader.send(sample);
      const [figures] = (await once(loader, "message")) as [LoadFigures];
      runs.push(figures);
      await once(loader, "exit");
    }
    const ms = median(runs.map((run) => run.ms));
    const row: Row = { embedder: name, "load to first vector ms": round(ms, 0) };
    row["peak process MB"] = round(median(runs.map((run) => run.peakRssBytes)) / 1e6, 0);
    const { wasmBytes } = runs[0]!;
    if (wasmBytes !== undefined) {
      row["wasm MB"] = round(wasmBytes / 1e6);
      row["pass (≤ 1200 ms, ≤ 90 MB)"] = verdict(ms <= 1200 && wasmBytes <= 90e6);
    }
    rows.push(row);
  }
  return rows;
}

/** A batch by two workers of one pool, and by two processes that get half of it each; rounds take turns. */
async function twoWorkers(tokenize: Tokenizer): Promise<Row[]> {
  const texts = [16, 64, 128]
    .flatMap((tokens) => samplesOfLength(tokenize, tokens, 16))
    .map(({ text }) => text);
  const halves = [0, 1].map((half) => texts.filter((_, i) => i % 2 === half));
  const pool = await selfsamePool(2);
  const processes = halves.map(() => child("batch.child.ts"));
  await Promise.all(processes.map((each) => once(each, "message")));
  const byProcesses = () =>
    Promise.all(
      processes.map((each, half) => {
        each.send(halves[half]!);
        return once(each, "message");
      }),
    );
  const [workersMs, processesMs] = await interleaved(
    [() => pool.embedAll(texts), byProcesses],
    7,
    WARM_UP_MS,
  );
  pool.close();
  for (const each of processes) each.disconnect();
  const ratio = processesMs! / workersMs!;
  return [
    {
      texts: texts.length,
      "two workers ms": round(workersMs!),
      "two processes ms": round(processesMs!),
      "speed of workers (≥ 0.9)": round(ratio, 3),
      pass: verdict(ratio >= 0.9),
    },
  ];
}

async function kernelShare(): Promise<Row[]> {
  return (await matrixKernel()).map(({ shape, gops, peakGops }) => ({
    shape,
    "kernel Gop/s": round(gops),
    "dot peak Gop/s": round(peakGops),
    "share (≥ 0.8)": round(gops / peakGops, 3),
    pass: verdict(gops >= 0.8 * peakGops),
  }));
}

export async function bench() {
  const peers = await loadPeers();
  const tokenize = await peers.tokenizer();
  const tables = [
    { title: "One text, one thread: all-MiniLM-L6-v2, median", rows: await speed(peers, tokenize) },
    { title: "From nothing to the first vector, a process each", rows: await load(tokenize) },
  ];
  if (peersAlone()) return tables;
  return [
    ...tables,
    { title: "Builds without float instructions", rows: await otherBuilds(tokenize) },
    { title: "Two workers against two processes", rows: await twoWorkers(tokenize) },
    { title: "Matrix kernel against bare integer dots", rows: await kernelShare() },
  ];
}
