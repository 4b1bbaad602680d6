/** Whatever works less well is said: in health, in stats, in answers. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { openNamespaces } from "#dist/index.js";
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
