import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { Embedder } from "#dist/model/embedder.js";
import { tinyFiles, tinyManifest } from "./tiny-model.ts";

const texts = (count: number) =>
  Array.from({ length: count }, (_, i) => new TextEncoder().encode(`text ${i}`));

it.each([1, 2])("with %i workers tries again to load a model that could not be read", async (workers) => {
  const folder = mkdtempSync(join(tmpdir(), "selfsame-embedder-"));
  const manifest = join(folder, "model.json");
  const embedder = new Embedder({ model: pathToFileURL(manifest), files: tinyFiles }, workers);
  try {
    await expect(embedder.embedCanonical(texts(64))).rejects.toMatchObject({ code: "FILE_MISSING" });
    writeFileSync(manifest, JSON.stringify(tinyManifest));
    expect(await embedder.embedCanonical(texts(64))).toHaveLength(64);
  } finally {
    embedder.close();
    rmSync(folder, { recursive: true });
  }
});

it("in one thread can be stopped by a timer", async () => {
  const embedder = new Embedder({ model: "tiny" }, 1);
  await embedder.embed("loaded");
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 1);
  const run = embedder.embedCanonical(texts(20_000), { signal: stop.signal });
  await expect(run).rejects.toMatchObject({ code: "ABORTED" });
  embedder.close();
});
