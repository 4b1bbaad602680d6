import { openNamespaces } from "selfsame";
import { median } from "../embed/timing.ts";
import type { Row } from "../service.bench.ts";
import { dataFolder, makeNamespace } from "./namespace.ts";

const NAMESPACES = 100;
const DOCUMENTS = 100;
const SWITCHES = 600;
/** Without a common divisor with their number: each is met again after all others. */
const STEP = 37;
const GOAL_MS = 40;

/** Searches one namespace after the other; each must be opened first. */
export async function switching(): Promise<Row[]> {
  const data = dataFolder("switching");
  for (let i = 0; i < NAMESPACES; i++) await makeNamespace(data, `n${i}`, DOCUMENTS, 1);
  const namespaces = await openNamespaces(data, { maxActive: 3 });
  const [cold, warm, memory]: [number[], number[], number[]] = [[], [], []];
  for (let i = 0; i < SWITCHES; i++) {
    const name = `n${(i * STEP) % NAMESPACES}`;
    cold.push(await timed(() => namespaces.search(name, `word${i} word7`)));
    warm.push(await timed(() => namespaces.search(name, `word${i} word8`)));
    if (i % 100 === 99) memory.push(process.memoryUsage().rss / 1e6);
  }
  await namespaces.close();
  const switchMs = median(cold) - median(warm);
  return [
    {
      "first search of a closed namespace, ms": round(median(cold)),
      "the same of an open one, ms": round(median(warm)),
      "switching, ms": round(switchMs),
      "under 40 ms": switchMs < GOAL_MS ? "yes" : "NO",
      "memory after 100, 200, … switches, MB": memory.map((each) => Math.round(each)).join(" "),
    },
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const round = (value: number) => Number(value.toFixed(1));
