/**
 * A cluster of real processes on loopback, with its own NATS server: `npm run test:cluster`. Its parts are killed at random
 * while documents come, change and go, and while searches run. Every answer is compared with one library that holds the
 * same documents. With `-- --long` for minutes, and NATS itself is killed more often; `-- --seed N` draws the same again.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "#dist/cluster/connection.js";
import { type Cluster, type ClusterAnswer, connectCluster } from "#dist/cluster/index.js";
import { readManifest } from "#dist/cluster/manifests.js";
import { checkHttp } from "./check-http.ts";
import { checkUnavailable } from "./check-unavailable.ts";
import { checkWrongWorker } from "./check-wrong-worker.ts";
import { Draws, QUERIES, type Step } from "./documents.ts";
import { NatsServer } from "./nats-server.ts";
import { Process, run } from "./processes.ts";
import { ReferenceLibrary } from "./reference-library.ts";

const long = process.argv.includes("--long");
const seedAt = process.argv.indexOf("--seed");
const seed = seedAt > 0 ? Number(process.argv[seedAt + 1]) : (Date.now() & 0xffff_ffff) >>> 0;
const CHAOS_MS = long ? 240_000 : 40_000;
const PATHS = long ? 400 : 150;
const MODEL = "tiny";
const SHARD_CHUNKS = 60;

const began = performance.now();
const log = (text: string) =>
  console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`);
const folder = mkdtempSync(join(tmpdir(), "selfsame-cluster-"));
const nats = await NatsServer.start();
const draws = new Draws(seed);
const reach = ["--nats", nats.url];
const processes = [
  ...[1, 2].map(
    (i) =>
      new Process(`worker ${i}`, ["cluster", "worker", ...reach, "--threads", "1", "--id", `worker-${i}`]),
  ),
  ...[1, 2].map(
    (i) =>
      new Process(`builder ${i}`, [
        ...["cluster", "build", "--watch", ...reach, "--folder", join(folder, `builder-${i}`)],
        ...["--model", MODEL, "--shard-chunks", `${SHARD_CHUNKS}`],
      ]),
  ),
  ...[1, 2, 3].map(
    (i) =>
      new Process(`server ${i}`, [
        ...["cluster", "serve", ...reach, "--id", `server-${i}`, "--folder", join(folder, `server-${i}`)],
      ]),
  ),
];
const steps = new Map<number, Step>();
const answers: { query: string; mode: Mode; answer: ClusterAnswer }[] = [];
type Mode = "hybrid" | "semantic" | "lexical";
const MODES: readonly Mode[] = ["hybrid", "semantic", "lexical"];
let cluster: Cluster | null = null;

try {
  log(`seed ${seed}, ${long ? "long" : "short"}, NATS at ${nats.url}`);
  await firstBuild();
  await chaos();
  await settle();
  await compareAnswers();
  cluster = await connectCluster({ nats: nats.url });
  await checkHttp(nats.url, join(folder, "http"), log);
  await checkUnavailable(
    cluster,
    processes.filter(({ name }) => name.startsWith("server")),
    log,
  );
  await checkWrongWorker(nats.url, join(folder, "verify"), log);
  log("passed");
} catch (error) {
  console.error(error);
  for (const { name, said } of processes) console.error(`--- ${name}\n${said}`);
  process.exitCode = 1;
} finally {
  await cluster?.close();
  for (const each of processes) await each.end();
  await nats.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
}

/** Documents from NDJSON, as a user ingests them, and a first state. */
async function firstBuild(): Promise<void> {
  const documents = Array.from({ length: PATHS / 2 }, (_, i) => draws.document(i));
  const file = join(folder, "documents.ndjson");
  writeFileSync(file, documents.map((document) => `${JSON.stringify(document)}\n`).join(""));
  const ingested = await run(["cluster", "ingest", ...reach, "--ndjson", file, "--json"]);
  assert.equal(ingested.status, 0, ingested.stderr);
  assert.equal(JSON.parse(ingested.stdout).documents, documents.length);
  for (const [i, document] of documents.entries()) steps.set(i + 1, { op: "put", document });
  for (const each of processes) each.start();
  const cluster = await connectCluster({ nats: nats.url });
  await until(
    async () => (await cluster.status()).canons[0]?.sequence === documents.length,
    60_000,
    "a first state",
  );
  const { canons } = await cluster.status();
  log(
    `first state: ${canons[0]!.documents} documents, ${canons[0]!.chunks} chunks, ${canons[0]!.shards.length} shards`,
  );
  assert.ok(canons[0]!.shards.length >= 2);
  await until(
    async () => (await cluster.status()).canons[0]!.shards.every(({ replicas }) => replicas >= 1),
    60_000,
    "servers",
  );
  await cluster.close();
}

/** Kills processes and NATS at random while operations and searches go on. */
async function chaos(): Promise<void> {
  const end = performance.now() + CHAOS_MS;
  const isOver = () => performance.now() > end;
  let [kills, natsKills] = [0, 0];
  const killing = (async () => {
    while (!isOver()) {
      // As a supervisor does: a process that found no NATS when it started has ended.
      for (const each of processes) if (!each.isRunning) each.start();
      await wait(500 + draws.below(long ? 4000 : 2500));
      if (draws.below(long ? 6 : 8) === 0) {
        await nats.kill();
        log("killed NATS");
        await wait(200 + draws.below(1500));
        await nats.start();
        natsKills++;
      } else {
        const victim = processes[draws.below(processes.length)]!;
        await victim.end();
        kills++;
        log(`killed ${victim.name}`);
        await wait(draws.below(1500));
        victim.start();
      }
    }
  })();
  const writing = (async () => {
    const writer = await connectCluster({ nats: nats.url });
    while (!isOver()) {
      const step = draws.step(PATHS);
      const { sequence } =
        step.op === "put" ? await writer.ingest([step.document]) : await writer.remove([step.path]);
      steps.set(sequence, step);
      await wait(draws.below(120));
    }
    await writer.close();
  })();
  const searching = (async () => {
    const reader = await connectCluster({ nats: nats.url });
    const library = await reader.open();
    let unavailable = 0;
    while (!isOver()) {
      const query = QUERIES[draws.below(QUERIES.length)]!;
      const mode = MODES[draws.below(MODES.length)]!;
      try {
        answers.push({ query, mode, answer: await library.search(query, { mode, topK: 8 }) });
      } catch (error) {
        const { code } = error as { code?: string };
        if (code !== "SHARD_UNAVAILABLE" && code !== "CLUSTER_UNREACHABLE") throw error;
        unavailable++;
      }
      await wait(draws.below(200));
    }
    await library.close();
    await reader.close();
    log(`${answers.length} answers, ${unavailable} refused because no server held a shard`);
  })();
  await Promise.all([killing, writing, searching]);
  log(`${steps.size} operations acknowledged; ${kills} processes and NATS ${natsKills} times killed`);
}

/** Starts what is down, and waits until everything that was acknowledged is published and served. */
async function settle(): Promise<void> {
  for (const each of processes) if (!each.isRunning) each.start();
  const reader = await connectCluster({ nats: nats.url });
  const last = Math.max(...steps.keys());
  await until(
    async () => {
      for (const each of processes) if (!each.isRunning) each.start();
      const { canons } = await reader.status();
      return canons[0]!.sequence >= last && canons[0]!.shards.every(({ replicas }) => replicas >= 2);
    },
    120_000,
    `a state up to operation ${last}`,
  );
  const library = await reader.open();
  for (const query of QUERIES)
    for (const mode of MODES)
      answers.push({ query, mode, answer: await library.search(query, { mode, topK: 8 }) });
  const { canons, failed } = await reader.status();
  assert.deepEqual(failed, []);
  const truth = await ReferenceLibrary.open({ model: MODEL }, steps);
  const one = await truth.advance(canons[0]!.sequence);
  const paths = (await one.documents()).map(({ path }) => path);
  assert.deepEqual(
    (await library.on((each) => each.documents())).map(({ path }) => path),
    paths,
    "every acknowledged document is there",
  );
  assert.equal(await library.on((each) => each.root()), await one.root(), "the root is that of one library");
  assert.equal(await library.on((each) => each.metadataRoot()), await one.metadataRoot());
  log(`${paths.length} documents, root ${(await one.root()).slice(0, 16)}: as one library`);
  await one.close();
  await library.close();
  await reader.close();
}

/** Compares every answer with that of one library after the same operations. */
async function compareAnswers(): Promise<void> {
  const connection = await connect({ nats: nats.url });
  const truth = await ReferenceLibrary.open({ model: MODEL }, steps);
  const sequences = new Map<string, number>();
  for (const { answer } of answers)
    if (!sequences.has(answer.manifest))
      sequences.set(answer.manifest, (await readManifest(connection, answer.manifest))!.sequence);
  const sequenceOf = ({ answer }: (typeof answers)[number]) => sequences.get(answer.manifest)!;
  for (const each of answers.sort((a, b) => sequenceOf(a) - sequenceOf(b))) {
    const { query, mode, answer } = each;
    const library = await truth.advance(sequenceOf(each));
    const { results, receipt } = await library.search(query, { mode, topK: 8 });
    assert.equal(answer.receipt!.digest, receipt.digest, `${mode} ${query} at operation ${sequenceOf(each)}`);
    assert.deepEqual(answer.results, results);
  }
  log(
    `${answers.length} answers from ${sequences.size} states, each with the receipt of one library, bit by bit`,
  );
  await truth.library.close();
  await connection.close();
}

async function until(done: () => Promise<boolean>, ms: number, what: string): Promise<void> {
  const end = performance.now() + ms * (long ? 3 : 2);
  while (!(await done().catch(() => false))) {
    if (performance.now() > end) throw new Error(`expected ${what} in time, got none`);
    await wait(300);
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
