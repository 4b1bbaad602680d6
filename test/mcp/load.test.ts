/** Eight clients search while files are indexed again and again: every answer is that of one state of the documents. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Library, open, type SearchAnswer } from "selfsame";
import { expect, test } from "vitest";
import { splitmix32 } from "../reference/prng.ts";
import { scratchFolder } from "../store/scratch.ts";
import { type Answer, type Connected, HttpServerProcess, writeFiles } from "./served.ts";

const isLong = import.meta.env.MODE === "long";
const CLIENTS = 8;
const SEARCHES = isLong ? 1000 : 104;
/** What the process may hold more at the end than after a quarter of the searches; fewer of them tell growth from chance less well. */
const GROWTH_MB_MAX = isLong ? 64 : 128;

const WORDS = "merkle root tree leaf hash order tie path chunk score rank fuse vector graph node page".split(
  " ",
);
const MODES = ["hybrid", "semantic", "lexical"] as const;
const random = splitmix32(7);
const words = (count: number) =>
  Array.from({ length: count }, () => WORDS[random() % WORDS.length]).join(" ");

const QUERIES = Array.from({ length: 12 }, () => words(3));
/** Two states: most files are the same in both, a third is not. */
const SAME = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [`same/${i}.md`, `# ${words(1)}\n\n${words(40)}\n`]),
);
const CHANGING = Array.from({ length: 30 }, (_, i) => `changing/${i}.md`);
const STATES = [0, 1].map(() =>
  Object.fromEntries(CHANGING.map((path) => [path, `# ${words(2)}\n\n${words(40)}\n`])),
);

const folder = join(scratchFolder(), "notes");

/** Each state's answers, by a library of its own that no server has touched. */
async function truth(state: number): Promise<{ root: string; answers: Map<string, SearchAnswer> }> {
  writeFiles(folder, STATES[state]!, state);
  const library: Library = await open(":memory:", { model: "tiny", workers: 1 });
  await library.addFiles([folder], { root: folder });
  const answers = new Map<string, SearchAnswer>();
  for (const query of QUERIES) {
    for (const mode of MODES) {
      answers.set(`search ${mode} ${query}`, await library.search(query, { mode, pageSize: 10 }));
      answers.set(
        `search_rifflux ${mode} ${query}`,
        await library.search(query, { mode, preset: "rifflux" }),
      );
    }
  }
  const root = await library.root();
  await library.close();
  return { root, answers };
}

/** Whether a tool's answer is the library's, field by field. */
function isSame(tool: string, answer: Answer, expected: SearchAnswer): boolean {
  if (tool === "search" && answer.receipt.digest !== expected.receipt.digest) return false;
  const told = answer.results.map(
    ({ chunk_id, path, heading_path, chunk_index, content, score_breakdown }: Answer) => [
      chunk_id,
      path,
      heading_path,
      chunk_index,
      content,
      Object.values(score_breakdown),
    ],
  );
  const wanted = expected.results.map(
    ({ chunkId, path, breadcrumb, chunkIndex, content, scoreBreakdown }) => [
      chunkId,
      path,
      breadcrumb,
      chunkIndex,
      content,
      Object.values(scoreBreakdown),
    ],
  );
  return answer.count === wanted.length && JSON.stringify(told) === JSON.stringify(wanted);
}

/** Of a process on Linux; elsewhere the test looks at answers alone. */
function residentMb(pid: number): number {
  if (process.platform !== "linux") return 0;
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
}

test(`${SEARCHES} searches of ${CLIENTS} clients over HTTP, with reindex running: all answered, none wrong, memory steady`, async () => {
  mkdirSync(folder);
  writeFiles(folder, SAME);
  const states = [await truth(1), await truth(0)].reverse();
  const server = await HttpServerProcess.start(folder, "--model", "tiny");
  const pid = server.process.pid!;
  const clients = await Promise.all(Array.from({ length: CLIENTS + 1 }, () => server.connect()));
  const writer = clients.pop()!;
  expect((await writer.call("reindex")).indexed_files).toBe(90);

  let answered = 0;
  let resident = 0;
  let reindexed = 0;
  const rootsSeen = new Map<string, number>();
  const searching = async (client: Connected, number: number) => {
    // A busy machine may have done the searches before the files were indexed twice.
    for (let i = 0; i < SEARCHES / CLIENTS || reindexed < 2; i++) {
      const turn = number * 31 + i;
      const [tool, mode] = [turn % 2 === 0 ? "search" : "search_rifflux", MODES[turn % 3]!];
      const query = QUERIES[turn % QUERIES.length]!;
      const answer = await client.call(tool, { query, mode });
      const key = `${tool} ${mode} ${query}`;
      const matching = states.filter(({ answers }) => isSame(tool, answer, answers.get(key)!));
      expect(matching.length, `${key} is the answer of no state`).toBeGreaterThan(0);
      if (tool === "search") {
        const { root } = answer.receipt;
        expect(matching.map((state) => state.root)).toContain(root);
        rootsSeen.set(root, (rootsSeen.get(root) ?? 0) + 1);
      }
      // Indexing has taken what it needs by then, whichever is faster.
      if (++answered >= SEARCHES / 4 && reindexed > 0 && resident === 0) resident = residentMb(pid);
    }
  };
  let isDone = false;
  const writing = async () => {
    for (let state = 1; !isDone || reindexed === 0; state = 1 - state) {
      writeFiles(folder, STATES[state]!, state);
      expect((await writer.call("reindex")).indexed_files).toBe(CHANGING.length);
      expect((await writer.call("library_status")).library.root).toBe(states[state]!.root);
      reindexed++;
    }
  };
  const written = writing();
  const started = performance.now();
  await Promise.all(clients.map(searching));
  const seconds = (performance.now() - started) / 1000;
  isDone = true;
  await written;

  const growth = residentMb(pid) - resident;
  console.log(
    `${answered} searches in ${seconds.toFixed(1)} s, ${reindexed} reindexes meanwhile, answers of ${rootsSeen.size} roots, ` +
      `memory ${resident.toFixed(0)} MB early on, ${growth >= 0 ? "+" : ""}${growth.toFixed(1)} MB at the end`,
  );
  expect(answered).toBeGreaterThanOrEqual(SEARCHES);
  expect(rootsSeen.size).toBe(2);
  expect(reindexed).toBeGreaterThan(1);
  expect(growth).toBeLessThan(GROWTH_MB_MAX);
  await Promise.all([...clients, writer].map((client) => client.close()));
  expect(await server.stop()).toBe(0);
  expect(server.output).toBe("");
});
