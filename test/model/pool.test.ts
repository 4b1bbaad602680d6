import { SelfsameError } from "selfsame";
import { EmbedPool, loadModel } from "selfsame/engine";
import { describe, expect, it } from "vitest";

const texts = Array.from({ length: 97 }, (_, i) => `text number ${i} ${"and more ".repeat(i % 7)}`);

describe("a pool of workers", () => {
  it("gives what one model gives, in order, for any number of workers", async () => {
    const { model } = await loadModel({ model: "tiny" });
    const alone = texts.map((text) => model.embed(text));
    for (const workers of [1, 2, 5]) {
      const pool = await EmbedPool.create({ model: "tiny", workers });
      const progress: number[] = [];
      expect(await pool.embedMany(texts, { onProgress: (done) => progress.push(done) })).toEqual(alone);
      expect(progress.at(-1)).toBe(texts.length);
      expect(progress.every((done, i) => i === 0 || done > progress[i - 1]!)).toBe(true);
      expect(await pool.embedMany([])).toEqual([]);
      // Two calls at once do not mix.
      const [first, second] = await Promise.all([pool.embedMany(texts), pool.embedMany(texts.slice(5, 9))]);
      expect(first).toEqual(alone);
      expect(second).toEqual(alone.slice(5, 9));
      pool.close();
    }
  });

  it("stops on an AbortSignal and works again afterwards", async () => {
    const pool = await EmbedPool.create({ model: "tiny", workers: 2 });
    const abort = new AbortController();
    const stopped = pool.embedMany(texts, {
      signal: abort.signal,
      onProgress: (done) => {
        if (done >= 20) abort.abort(new Error("enough"));
      },
    });
    await expect(stopped).rejects.toMatchObject({ code: "ABORTED" });
    await expect(pool.embedMany(texts, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "ABORTED",
    });
    expect(await pool.embedMany(texts.slice(0, 2))).toHaveLength(2);
    pool.close();
  });

  it("fails with typed errors: a model that is not there, no workers, a pool that is closed", async () => {
    await expect(EmbedPool.create({ model: "nope", workers: 1 })).rejects.toMatchObject({
      code: "FILE_MISSING",
    });
    await expect(EmbedPool.create({ model: "tiny", workers: 0 })).rejects.toBeInstanceOf(SelfsameError);
    const pool = await EmbedPool.create({ model: "tiny", workers: 1 });
    pool.close();
    await expect(pool.embedMany(["a"])).rejects.toMatchObject({ code: "WORKER_FAILED" });
  });

  it("a URL names a manifest in workers too", async () => {
    const url = new URL("../../models/tiny.json", import.meta.url);
    const pool = await EmbedPool.create({ model: url, workers: 1 });
    expect(await pool.embedMany(["a"])).toHaveLength(1);
    pool.close();
  });
});
