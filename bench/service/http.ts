// What HTTP costs beside the same searches without it: one client, 32 clients, and a query during an ingest. The server is
// the command, in a process of its own, on the loopback.
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { open, openNamespaces } from "selfsame";
import { median } from "../embed/timing.ts";
import type { Row } from "../service.bench.ts";
import { dataFolder, makeNamespace } from "./namespace.ts";

const NAME = "http";
const INGESTED = "http-ingest";
const DOCUMENTS = 1_000;
const CHUNKS_EACH = 10;
const SINGLE = 150;
const CLIENTS = 32;
/** Both kinds of load in turns, so that what else the machine does meets both alike. */
const TURNS = 4;
const TURN_MS = 2_500;
const INGEST_DOCUMENTS = 250;

export async function overHttp(): Promise<Row[]> {
  const data = dataFolder("http");
  // What a run that was stopped has left.
  rmSync(join(data, "namespaces", INGESTED), { recursive: true, force: true });
  await makeNamespace(data, NAME, DOCUMENTS, CHUNKS_EACH);
  const readers = availableParallelism();
  const server = await start(data);
  try {
    const single = await oneClient(server, data);
    const { direct, http } = await inTurns(server, data, readers);
    const during = await duringIngest(server);
    return [
      row("one client, direct, median", single.direct, "ms"),
      row("one client, HTTP, median", single.http, "ms"),
      row("HTTP adds at the median", single.http - single.direct, "ms", "≤ 1.5"),
      row(`${CLIENTS} callers, ${readers} reader threads, no HTTP`, direct.perSecond, "queries/s"),
      row(`${CLIENTS} clients, HTTP`, http.perSecond, "queries/s"),
      row("HTTP keeps", (100 * http.perSecond) / direct.perSecond, "%", "≥ 85"),
      row("CPU of a query, no HTTP", direct.cpuMs, "ms"),
      row("CPU of a query, server", http.cpuMs, "ms"),
      row(`${CLIENTS} clients, HTTP, p50`, at(http.times, 0.5), "ms", "< 150"),
      row(`${CLIENTS} clients, HTTP, p99`, at(http.times, 0.99), "ms", "< 600"),
      row("a query during an ingest, median", median(during), "ms", "< 250"),
      row("a query during an ingest, p99", at(during, 0.99), "ms"),
    ];
  } finally {
    await server.stop();
  }
}

interface Server {
  readonly url: string;
  readonly agent: Agent;
  stop(): Promise<void>;
}

async function start(data: string): Promise<Server> {
  const main = join(import.meta.dirname, "../../dist/cli.bundle/main.js");
  const child = spawn(process.execPath, [main, "serve", "--data", data, "--port", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let errors = "";
    child.stderr.on("data", (piece) => {
      errors += piece;
      const found = /listening on (\S+)/.exec(errors)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("close", () => reject(new Error(errors)));
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 2 * CLIENTS });
  const stop = async () => {
    agent.destroy();
    child.kill("SIGTERM");
    await new Promise((resolve) => child.once("close", resolve));
  };
  return { url, agent, stop };
}

function ask({ url, agent }: Server, query: string): Promise<unknown> {
  return send(url, agent, "/v1/hybrid/query", JSON.stringify({ query, namespace: NAME }));
}

function send(url: string, agent: Agent, path: string, body: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const asked = request(url + path, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece) => {
        text += piece;
      });
      response.on("end", () => {
        if (response.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(text));
      });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

/** Another query each time: answers are cached. */
let asked = 0;
const nextQuery = () => `word${asked++ % 5000} word${(asked * 7) % 5000}`;

/** The same parameters as the service's. */
const PARAMETERS = { preset: "docstokg", pageSize: 10, explain: true } as const;

async function oneClient(server: Server, data: string): Promise<{ direct: number; http: number }> {
  const library = await open(join(data, "namespaces", NAME, "library.db"), { namespace: NAME });
  const times = { direct: [] as number[], http: [] as number[] };
  for (let i = -10; i < SINGLE; i++) {
    const query = nextQuery();
    const direct = await timed(() => library.search(query, PARAMETERS));
    const http = await timed(() => ask(server, query));
    if (i < 0) continue; // the first ones load the model and compile
    times.direct.push(direct);
    times.http.push(http);
  }
  await library.close();
  return { direct: median(times.direct), http: median(times.http) };
}

interface Load {
  perSecond: number;
  cpuMs: number;
  readonly times: number[];
}

/** Searches in as many threads, called in a loop and over HTTP. */
async function inTurns(server: Server, data: string, readers: number): Promise<{ direct: Load; http: Load }> {
  const namespaces = await openNamespaces(data, { readers });
  const ways = {
    direct: {
      search: (query: string) => namespaces.search(NAME, query, PARAMETERS),
      cpuSeconds: async () => cpuSeconds(process.cpuUsage()),
    },
    http: { search: (query: string) => ask(server, query), cpuSeconds: () => serverCpuSeconds(server) },
  };
  const result = { direct: noLoad(), http: noLoad() };
  const names = ["direct", "http"] as const;
  for (const name of names) await load(ways[name].search, TURN_MS); // loads the model in each thread
  for (let turn = 0; turn < TURNS; turn++)
    for (const name of names) {
      const { search, cpuSeconds: cpu } = ways[name];
      const before = await cpu();
      const { times, took } = await load(search, TURN_MS);
      const sum = result[name];
      sum.cpuMs += (1000 * ((await cpu()) - before)) / times.length / TURNS;
      sum.perSecond += (1000 * times.length) / took / TURNS;
      sum.times.push(...times);
    }
  await namespaces.close();
  return result;
}

const noLoad = (): Load => ({ perSecond: 0, cpuMs: 0, times: [] });

const cpuSeconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;

/** What the server says about itself. */
async function serverCpuSeconds({ url }: Server): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
}

async function load(
  search: (query: string) => Promise<unknown>,
  ms: number,
): Promise<{ took: number; times: number[] }> {
  const times: number[] = [];
  const until = performance.now() + ms;
  const run = async () => {
    while (performance.now() < until) times.push(await timed(() => search(nextQuery())));
  };
  const took = await timed(() => Promise.all(Array.from({ length: CLIENTS }, run)));
  return { took, times };
}

async function duringIngest(server: Server): Promise<number[]> {
  const documents = Array.from({ length: INGEST_DOCUMENTS }, (_, i) => ({
    path: `new/${i}.md`,
    text: `# Document ${i}\n\n${Array.from({ length: 60 }, (_, j) => `word${(i * 61 + j * 17) % 5000}`).join(" ")}`,
  }));
  const times: number[] = [];
  let isDone = false;
  const ingest = send(
    server.url,
    server.agent,
    `/v1/hybrid/ingest?namespace=${INGESTED}`,
    JSON.stringify(documents),
  );
  const done = ingest.finally(() => {
    isDone = true;
  });
  while (!isDone) times.push(await timed(() => ask(server, nextQuery())));
  await done;
  await new Promise<void>((resolve, reject) => {
    request(
      `${server.url}/v1/namespaces/${INGESTED}`,
      { method: "DELETE", agent: server.agent },
      (response) => {
        response.resume();
        response.on("end", resolve);
      },
    )
      .on("error", reject)
      .end();
  });
  return times;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function at(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function row(what: string, value: number, unit: string, goal = ""): Row {
  return { what, value: Math.round(value * 100) / 100, unit, goal };
}
