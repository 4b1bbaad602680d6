import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { checkIntegrity } from "#dist/store/schema.js";
import { splitmix32 } from "../reference/prng.ts";
import { Child } from "../store/child.ts";
import { scratchFolder } from "../store/scratch.ts";
import { openTiny } from "./opened.ts";
import { recomputedRoot } from "./recomputed.ts";
import { type LibraryState, stateOf } from "./state.ts";
import { sampleSteps, takeStep, writeSteps } from "./steps.ts";

const KILLS = import.meta.env.MODE === "long" ? 100 : 8;
const STEPS = 60;
const OPTIONS = { index: "hnsw" } as const;
const QUERIES = [["note", "order", "number"], ["the same order"]] as const;

const folder = scratchFolder();
const stepsFile = join(folder, "steps.json");
const steps = sampleSteps(STEPS);
/** Both roots before the first step and after each. */
const roots: string[] = [];
let undisturbed: LibraryState;

beforeAll(async () => {
  writeSteps(stepsFile, steps);
  const opened = await openTiny(":memory:", OPTIONS);
  const note = async () => roots.push(await bothRoots(opened.library));
  await note();
  for (const step of steps) {
    await takeStep(opened, step);
    await note();
  }
  undisturbed = await stateOf(opened, ...QUERIES);
  expect(new Set(roots).size).toBe(STEPS + 1);
  expect(undisturbed.documents.length).toBeGreaterThan(200);
  await opened.library.close();
});

async function bothRoots(library: { root(): Promise<string>; metadataRoot(): Promise<string> }) {
  return `${await library.root()} ${await library.metadataRoot()}`;
}

function start(path: string, first: number): Child {
  const options = JSON.stringify({ ...OPTIONS, lookEvery: 4 });
  return new Child("../library/steps.child.mjs", path, stepsFile, String(first), options);
}

/** How many steps the child has told of. */
function told({ output }: Child, before: number): number {
  return Number(output.split("\n").at(-2) ?? before);
}

/** Opens what a killed process left; returns how many steps are in it. */
async function inspect(path: string, atLeast: number): Promise<number> {
  const opened = await openTiny(path, OPTIONS);
  checkIntegrity(opened.parts.database);
  const found = roots.indexOf(await bothRoots(opened.library));
  // The last commit may have come before the kill, and its message not.
  expect([atLeast, atLeast + 1]).toContain(found);
  expect(recomputedRoot(opened)).toBe(await opened.library.root());
  const { semantic } = opened.parts;
  const index = await semantic.current(await opened.library.root());
  expect(index.size).toBe((await opened.library.stats()).chunks);
  await opened.library.close();
  return found;
}

async function finish(path: string, first: number): Promise<void> {
  await start(path, first).succeeds();
  const opened = await openTiny(path, OPTIONS);
  expect(await stateOf(opened, ...QUERIES)).toStrictEqual(undisturbed);
  await opened.library.close();
  const left = readdirSync(folder).filter((name) => name.startsWith(`${basename(path)}-`));
  // But for a claim on a lock, if a kill fell between its making and its linking.
  expect(left.filter((name) => !name.includes(".db-lock."))).toStrictEqual([]);
}

test("a process killed at any moment loses no step that it told of, and the next one ends as if nothing had been", async () => {
  const random = splitmix32(5);
  let files = 1;
  let path = join(folder, "library-1.db");
  let done = 0;
  let within = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const child = start(path, done);
    // Every fourth kill falls into starting and opening, the others into the work.
    if (kill % 4 === 3) await pause(random() % 800);
    else {
      await child.says(`${Math.min(done + (random() % 3), STEPS - 1)}\n`);
      await pause(random() % 200);
    }
    await child.kill();
    const before = done;
    done = await inspect(path, told(child, done));
    if (done > before) within++;
    if (done < STEPS) continue;
    await finish(path, done);
    [path, done] = [join(folder, `library-${++files}.db`), 0];
  }
  await finish(path, done);
  // The kills fell into the work, not beside it.
  expect(within).toBeGreaterThan(KILLS / 4);
});
