import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { noteRemovedChunks } from "#dist/library/prune-embeddings.js";
import { putEmbedding } from "#dist/store/records.js";
import { sampleId } from "../store/sample.ts";
import { scratchFolder } from "../store/scratch.ts";
import { type Opened, openTiny } from "./opened.ts";
import { stateOf } from "./state.ts";
import { sampleDocument } from "./steps.ts";

const folder = scratchFolder();

/** Words that stand in one document only; FTS5 keeps them stemmed. */
const SECRET = "xylophonquartz";

function secretDocument(number: number) {
  const text = `# ${SECRET} ${number}\n\n${`${SECRET} is the secret word of ${number}. `.repeat(200)}\n`;
  return { path: `secret/${SECRET}-${number}.md`, text, metadata: { secret: SECRET } };
}

function filesWith(place: string, word: string): string[] {
  return readdirSync(place).filter((name) => readFileSync(join(place, name)).includes(word));
}

const state = (opened: Opened) => stateOf(opened, ["note"], ["the same order"]);

describe("compact", () => {
  test("leaves nothing of removed text, and every answer as it was", async () => {
    const place = join(folder, "secrets");
    mkdirSync(place);
    const path = join(place, "library.db");
    const opened = await openTiny(path, { index: "hnsw" });
    const { library, parts } = opened;
    await library.add(Array.from({ length: 10 }, (_, i) => sampleDocument("notes", i)));
    await library.add(Array.from({ length: 10 }, (_, i) => secretDocument(i)));
    await library.search("order");
    expect(filesWith(place, SECRET.slice(0, 8))).toStrictEqual(["library.db"]);
    const unusedBefore = (await library.stats()).embeddings;
    await library.remove(Array.from({ length: 10 }, (_, i) => secretDocument(i).path));
    const before = await state(opened);
    // What is removed is overwritten at once, but for the index of words.
    expect(readFileSync(path).includes(`${SECRET} is the secret`)).toBe(false);
    expect((await library.stats()).unusedEmbeddings).toBeGreaterThan(0);

    const report = await library.compact();
    expect(report.embeddingsDropped).toBeGreaterThan(0);
    expect(report.embeddingsDropped + (await library.stats()).embeddings).toBe(unusedBefore);
    expect(report.bytesAfter).toBeLessThan(report.bytesBefore);
    expect(report.bytesAfter).toBe(statSync(path).size);
    expect((await library.stats()).unusedEmbeddings).toBe(0);
    expect(filesWith(place, SECRET.slice(0, 8))).toStrictEqual([]);
    expect(readdirSync(place)).toStrictEqual(["library.db"]);
    expect(await state(opened)).toStrictEqual(before);
    expect((await library.check()).isSound).toBe(true);
    await library.add([sampleDocument("more", 1)]);
    expect(parts.database.get("PRAGMA temp_store")!.temp_store).toBe(2);
    await library.close();
    const again = await openTiny(path);
    expect(await again.library.documents()).toHaveLength(11);
    await again.library.close();
  });

  test("of a library in memory works, too", async () => {
    const { library } = await openTiny(":memory:");
    await library.add([sampleDocument("notes", 1)]);
    const root = await library.root();
    await library.remove(["none.md"]);
    await library.compact();
    expect(await library.root()).toBe(root);
    await library.close();
  });
});

test("unused vectors beyond the used ones and 1,024 more are dropped, oldest first", async () => {
  const { library, parts } = await openTiny(":memory:");
  await library.add([sampleDocument("notes", 1)]);
  const used = (await library.stats()).embeddings;
  const { database } = parts;
  const model = database.get<{ model: Uint8Array }>("SELECT model FROM embeddings")!.model;
  const note = (removed: number) =>
    database.transaction(() => noteRemovedChunks(database, model, removed, () => 10));
  database.transaction(() => {
    for (let i = 0; i < 3000; i++) putEmbedding(database, sampleId(9, i), model, new Uint8Array(4));
  });
  note(1000);
  expect((await library.stats()).unusedEmbeddings).toBe(3000);
  note(24);
  expect((await library.stats()).unusedEmbeddings).toBe(used + 1024);
  expect((await library.stats()).embeddings).toBe(used + used + 1024);
  const { first } = database.get<{ first: Uint8Array }>(
    "SELECT min(textHash) AS first FROM embeddings WHERE textHash NOT IN (SELECT textHash FROM chunks)",
  )!;
  expect(Buffer.from(first)).toStrictEqual(Buffer.from(sampleId(9, 3000 - used - 1024)));
  await library.close();
});

test.skipIf(process.platform === "win32")("check warns of a library that others may read", async () => {
  const path = join(folder, "open.db");
  const { library } = await openTiny(path);
  const access = async () => (await library.check()).findings.find(({ subject }) => subject === "access");
  expect(await access()).toMatchObject({ verdict: "ok", detail: expect.stringContaining("0600") });
  chmodSync(path, 0o644);
  expect(await access()).toMatchObject({ verdict: "warning", wayOut: `Run chmod 600 ${path}` });
  await library.close();
});
