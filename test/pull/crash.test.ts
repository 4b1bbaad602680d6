/** A pull between two processes, over HTTP, that is killed again and again. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { checkIntegrity } from "#dist/store/schema.js";
import { openTiny } from "../library/opened.ts";
import { recomputedRoot } from "../library/recomputed.ts";
import { splitmix32 } from "../reference/prng.ts";
import { type Running, running } from "../serve/running.ts";
import { Child } from "../store/child.ts";
import { scratchFolder } from "../store/scratch.ts";

const KILLS = import.meta.env.MODE === "long" ? 40 : 3;
const DOCUMENTS = import.meta.env.MODE === "long" ? 240 : 40;
const TOKEN = "0123456789abcdef";
const headers = { authorization: `Bearer ${TOKEN}` };
const OPTIONS = { namespace: "notes" } as const;
let server: Running;

/** Long enough that a kill can fall into a pull. */
function document(number: number, version: number) {
  const random = splitmix32(number * 100 + version);
  const words = Array.from({ length: 600 }, () => `w${(random() % 5000).toString(36)}`);
  return { path: `notes/${number}.md`, text: `# Note ${number}\n\n${words.join(" ")}`, modified_at: version };
}

async function keep(documents: readonly unknown[]): Promise<void> {
  const { status } = await server.send("POST", "/v1/hybrid/ingest?namespace=notes", documents, headers);
  expect(status).toBe(200);
}

beforeAll(async () => {
  server = await running({ token: TOKEN, allowPull: true });
  await keep(Array.from({ length: DOCUMENTS }, (_, i) => document(i, 0)));
}, 300_000);

async function serverRoots() {
  const { json } = await server.send("GET", "/v1/namespaces/notes/root", undefined, headers);
  return { root: json.root, metadataRoot: json.metadata_root };
}

function start(path: string): Child {
  return new Child("../pull/pull.child.mjs", path, `${server.url}/v1/namespaces/notes`, TOKEN, "mirror");
}

/** Opens what a killed process left, and returns how many documents it has. */
async function inspect(path: string): Promise<number> {
  const opened = await openTiny(path, OPTIONS);
  try {
    checkIntegrity(opened.parts.database);
    expect(recomputedRoot(opened)).toBe(await opened.library.root());
    const { findings } = await opened.library.check({ embeddings: 4 });
    expect(findings.filter(({ verdict }) => verdict === "problem")).toStrictEqual([]);
    return (await opened.library.stats()).documents;
  } finally {
    await opened.library.close();
  }
}

test("leaves a whole library at every kill, goes on where it was, and ends equal", async () => {
  const folder = scratchFolder();
  const random = splitmix32(7);
  let path = join(folder, "library-0.db");
  let [files, version, within] = [0, 0, 0];
  for (let kill = 0; kill < KILLS; kill++) {
    const child = start(path);
    await child.says("open\n");
    // Most kills fall into the transfer and the writing, some into the comparison.
    if (kill % 4 === 0) await pause(random() % 50);
    else await Promise.race([child.says("pulling").then(() => pause(random() % 400)), child.ended]);
    await child.kill();
    const before = child.output.includes("done");
    await inspect(path);
    if (child.output.includes("pulling") && !before) within++;
    // A pull that came to its end is given something new to do.
    if (before) await keep(Array.from({ length: DOCUMENTS }, (_, i) => document(i, ++version)));
    if (kill % 10 === 9) path = join(folder, `library-${++files}.db`);
  }
  const last = start(path);
  await last.succeeds();
  expect(last.output).toMatch(/done true\n$/);
  expect(await inspect(path)).toBe(DOCUMENTS);
  const opened = await openTiny(path, OPTIONS);
  const { root, metadataRoot } = await opened.library.stats();
  expect({ root, metadataRoot }).toStrictEqual(await serverRoots());
  await opened.library.close();
  expect(within).toBeGreaterThanOrEqual(Math.floor(KILLS / 4));
}, 1_200_000);
