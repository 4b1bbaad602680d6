// What the command line costs from the shell: a cold search of 10,000 chunks, and the help. Each is run anew several times
// and the best counts: other work on the machine only adds. `npm run bench -- cli`
import { spawnSync } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { openLibrary } from "./search/library.ts";
import { readPassages } from "./search/passages.ts";

type Row = Record<string, string | number>;

const MAIN = join(import.meta.dirname, "../dist/cli.bundle/main.js");
const CHUNKS = 10_000;
const RUNS = 15;
const GOAL = { search: 1200, rest: 350, help: 200 }; // ms

interface Run {
  readonly wall: number;
  readonly stdout: string;
}

export async function bench(): Promise<{ title: string; rows: Row[] }[]> {
  const { library } = await openLibrary(CHUNKS, readPassages());
  const db = library.name;
  await library.close();
  const empty = best(times(() => run(["-e", "0"]).wall));
  const help = best(times(() => run([MAIN, "--help"]).wall));
  const root = best(times(() => run([MAIN, "root", "--db", db]).wall));
  const searches = times(() => coldSearch(db));
  const total = best(searches.map(({ wall }) => wall));
  const rest = best(searches.map(({ wall, model, search }) => wall - model - search));
  return [
    {
      title: `From the shell, best of ${RUNS} (ms); load average ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} threads`,
      rows: [
        { what: "node -e 0, for comparison", ms: empty },
        { what: "selfsame --help", ms: help, goal: GOAL.help, pass: verdict(help <= GOAL.help) },
        { what: `selfsame root, ${CHUNKS} chunks`, ms: root },
        {
          what: `selfsame search, ${CHUNKS} chunks`,
          ms: total,
          goal: GOAL.search,
          pass: verdict(total <= GOAL.search),
        },
        {
          what: "… of it neither model load nor search",
          ms: rest,
          goal: GOAL.rest,
          pass: verdict(rest <= GOAL.rest),
        },
        { what: "… loading the model and embedding", ms: best(searches.map(({ model }) => model)) },
        {
          what: "… search, with bringing the vectors into memory",
          ms: best(searches.map(({ search }) => search)),
        },
      ],
    },
  ];
}

/** The answer itself says what of its time went into the query's vector, which loads the model, and into the ranking. */
function coldSearch(db: string): { wall: number; model: number; search: number } {
  const { wall, stdout } = run([MAIN, "search", "how are ties broken", "--json", "--db", db]);
  const { timings } = JSON.parse(stdout) as { timings: { embedding: number; ranking: number } };
  return { wall, model: timings.embedding, search: timings.ranking };
}

function run(args: readonly string[]): Run {
  const started = performance.now();
  const { stdout, status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const wall = performance.now() - started;
  if (status !== 0) throw new Error(`selfsame ${args.join(" ")} failed: ${stderr}`);
  return { wall, stdout };
}

function times<T>(work: () => T): T[] {
  return Array.from({ length: RUNS }, work);
}

function best(values: readonly number[]): number {
  return Math.round(Math.min(...values));
}

function verdict(pass: boolean): string {
  return pass ? "yes" : "NO";
}
