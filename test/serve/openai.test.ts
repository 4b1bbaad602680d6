/** OpenAI's client, unchanged, against the running server. */
import OpenAI from "openai";
import { beforeAll, expect, test } from "vitest";
import { EmbedPool } from "#dist/library/engine-entry.js";
import { type Running, running } from "./running.ts";

let server: Running;
let client: OpenAI;
beforeAll(async () => {
  server = await running({ token: "s3cret" });
  client = new OpenAI({ apiKey: "s3cret", baseURL: `${server.url}/v1`, maxRetries: 0 });
});

const texts = ["Equal scores stand by path.", "Größe 😀", ""];

test.each([undefined, "float", "base64"] as const)(
  "embeddings, encoding_format %s",
  async (encoding_format) => {
    const answer = await client.embeddings.create({
      ...{ model: "tiny", input: texts },
      ...(encoding_format === undefined ? {} : { encoding_format }),
    });
    const pool = await EmbedPool.create({ model: "tiny", workers: 1 });
    const expected = await pool.embedMany(texts);
    pool.close();
    expect(answer.object).toBe("list");
    expect(answer.model).toBe("tiny");
    const tokens = expected.reduce((sum, each) => sum + each.tokens, 0);
    expect(answer.usage).toStrictEqual({ prompt_tokens: tokens, total_tokens: tokens });
    for (const [i, { embedding, index, object }] of answer.data.entries()) {
      expect([index, object]).toStrictEqual([i, "embedding"]);
      const floats =
        typeof embedding === "string"
          ? [...new Float32Array(Uint8Array.from(Buffer.from(embedding, "base64")).buffer)]
          : embedding;
      expect(floats).toStrictEqual(
        [...expected[i]!.vector].map((component) => Math.fround(component / 32767)),
      );
    }
  },
);

test("one text, the list of models, and a model that is not there", async () => {
  const one = await client.embeddings.create({ model: "tiny", input: texts[0]! });
  expect(one.data).toHaveLength(1);
  const models = await client.models.list();
  expect(models.data.map(({ id }) => id)).toStrictEqual(["tiny"]);
  await expect(client.embeddings.create({ model: "other", input: "x" })).rejects.toMatchObject({
    ...{ status: 404, error: { code: "MODEL_NOT_FOUND" } },
  });
  await expect(client.embeddings.create({ model: "tiny", input: "x", dimensions: 7 })).rejects.toMatchObject({
    status: 400,
  });
  const stranger = new OpenAI({ apiKey: "wrong", baseURL: `${server.url}/v1`, maxRetries: 0 });
  await expect(stranger.models.list()).rejects.toMatchObject({ status: 401 });
});
