/** Whatever works less well is said: in health, in stats, in answers. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { open, openNamespaces } from "#dist/index.js";
import { scratchFolder } from "../store/scratch.ts";
import { notes, running } from "./running.ts";

const MODELS = join(import.meta.dirname, "../../models");
const WEIGHTS = "tiny/model.safetensors";

test("without the model's weights: 200, degraded, words are still searched", async () => {
  const folder = scratchFolder();
  const data = join(folder, "data");
  // Another model than the package's, which would be found by its digest.
  mkdirSync(join(folder, "tiny"));
  for (const file of ["tiny/tokenizer.json", WEIGHTS]) copyFileSync(join(MODELS, file), join(folder, file));
  const manifest = JSON.parse(readFileSync(join(MODELS, "tiny.json"), "utf8"));
  writeFileSync(join(folder, "other.json"), JSON.stringify({ ...manifest, name: "other", limit: 60 }));
  const model = pathToFileURL(join(folder, "other.json")).href;
  const namespaces = await openNamespaces(data, { model, workers: 1 });
  await (await namespaces.get("notes")).add(
    notes(3).map((each) => ({ ...each, metadata: each.metadata as never })),
  );
  await namespaces.close();
  rmSync(join(folder, WEIGHTS));
  const server = await running({ data, namespaces: { model, workers: 1 } });
  const health = await server.send("GET", "/healthz");
  expect([health.status, health.json]).toMatchObject([
    200,
    { status: "degraded", degraded: true, model: { weights: "missing" }, engine: { probe: "passed" } },
  ]);
  expect(health.json.warnings.join()).toContain("only words");
  const { json } = await server.send("POST", "/v1/hybrid/query", { query: "scores", namespace: "notes" });
  expect(json).toMatchObject({ degraded: true, receipt: { parameters: { mode: "lexical" } } });
  expect(json.results).toHaveLength(3);
  expect(json.warnings.join()).toContain("only words were searched");
  expect((await server.send("GET", "/v1/hybrid/stats")).json.degraded).toBe(true);
  expect(server.lines.filter(({ event }) => event === "degraded")).toMatchObject([{ level: "WARN" }]);
  await server.close();
});

test("a library that cannot be read: 503, and the other namespaces answer", async () => {
  const server = await running();
  for (const namespace of ["sound", "broken"])
    await server.send("POST", `/v1/hybrid/ingest?namespace=${namespace}`, notes(2));
  await server.close();
  writeFileSync(join(server.data, "namespaces/broken/library.db"), "x".repeat(8192));
  const again = await running({ data: server.data });
  const health = await again.send("GET", "/healthz");
  expect([health.status, health.json.status]).toStrictEqual([503, "broken"]);
  expect(health.json.namespaces.broken).toMatchObject({ degraded: true, ntotal: null });
  const sound = await again.send("POST", "/v1/hybrid/query", { query: "scores", namespace: "sound" });
  expect([sound.status, sound.json.results.length]).toStrictEqual([200, 2]);
  const broken = await again.send("POST", "/v1/hybrid/query", { query: "scores", namespace: "broken" });
  expect([broken.status, broken.json.error.code]).toStrictEqual([500, expect.stringMatching(/^DATABASE_/)]);
});

test.each([0, 1])(
  "test_gpu_oom: vectors beyond the memory limit are still found, and stats and health say it (%i readers)",
  async (readers) => {
    const server = await running({ namespaces: { readers, maxIndexMemory: 1 << 17 } });
    await server.send("POST", "/v1/hybrid/ingest?namespace=large", notes(40));
    const free = await open(":memory:", { model: "tiny", namespace: "large", workers: 1 });
    await free.add(notes(40).map((each) => ({ ...each, metadata: each.metadata as never })));
    const asked = { query: "number seven", namespace: "large", page_size: 40 };
    const { json } = await server.send("POST", "/v1/hybrid/query", asked);
    const whole = await free.search(asked.query, { preset: "docstokg", pageSize: 40 });
    await free.close();
    expect(json.receipt.digest).toBe(whole.receipt.digest); // the same answer as with all memory
    const stats = await server.send("GET", "/v1/hybrid/stats");
    expect(stats.json).toMatchObject({
      degraded: true,
      namespaces: { large: { degraded: true, ntotal: 40 } },
    });
    expect(stats.json.namespaces.large.warnings.join()).toContain("131072 bytes of memory");
    const health = await server.send("GET", "/healthz");
    expect([health.status, health.json.status, health.json.degraded]).toStrictEqual([200, "degraded", true]);
    expect(server.lines.filter(({ event }) => event === "degraded")).toMatchObject([
      { level: "WARN", namespace: "large" },
    ]);
    await server.close();
  },
);

test("a snapshot that cannot be restored: an empty namespace, and a warning in log, health and stats", async () => {
  const server = await running({ namespaces: { snapshots: true } });
  await server.send("POST", "/v1/hybrid/ingest?namespace=notes", notes(2));
  await server.close(); // writes a snapshot
  rmSync(join(server.data, "namespaces"), { recursive: true });
  const folder = join(server.data, "snapshots/notes");
  const current = readFileSync(join(folder, "current"), "utf8").trim();
  writeFileSync(join(folder, current, "vectors.index"), "damaged");
  const again = await running({ data: server.data });
  const { status, json } = await again.send("POST", "/v1/hybrid/query", {
    query: "scores",
    namespace: "notes",
  });
  expect([status, json.results]).toStrictEqual([200, []]);
  expect(again.lines.filter(({ event }) => event === "degraded")).toMatchObject([
    { level: "WARN", namespace: "notes", message: expect.stringContaining("started empty") },
  ]);
  const health = await again.send("GET", "/healthz");
  expect([health.status, health.json.namespaces.notes.degraded]).toStrictEqual([200, true]);
});
