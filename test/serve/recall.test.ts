/** Recall over a live server: `POST /v1/recall`, and the MCP tool, give what the library gives. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type DocumentInput, open, type RecallContext } from "selfsame";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recallAnswer } from "#dist/http/index.js";
import vectors from "../../test-vectors/recall.json" with { type: "json" };
import { type Connected, connect, TRANSPORTS, writeFiles } from "../mcp/served.ts";
import { scratchFolder } from "../store/scratch.ts";
import { running } from "./running.ts";

const SPACE = vectors.parameters.namespace;
const documents = vectors.documents as readonly DocumentInput[];
/** The request of contract 4, with a moment, so that it has a receipt. */
const REQUEST = {
  query_text: "birthday party balloons and candles",
  ctx: {
    person_id: "alice",
    space_id: SPACE,
    focus_event_id: "evt-unknown",
    time_budget_ms: 40,
    top_k: 12,
    allow_cross_encoder: true,
    mmr_lambda: 0.35,
    filters: {},
    now: Date.UTC(2026, 10, 17, 18),
  },
};

describe("POST /v1/recall", async () => {
  const server = await running({ namespaces: { crossEncoder: "tiny-cross" } });
  const library = await open(":memory:", { model: "tiny", namespace: SPACE, crossEncoder: "tiny-cross" });
  afterAll(() => library.close());
  beforeAll(async () => {
    await library.add(documents);
    const rows = documents.map(({ path, text, modifiedAt, metadata }) => ({
      path,
      text,
      ...(modifiedAt === undefined ? {} : { modified_at: modifiedAt }),
      ...(metadata === undefined ? {} : { metadata }),
    }));
    const { status, json } = await server.send(
      "POST",
      `/v1/hybrid/ingest?namespace=${encodeURIComponent(SPACE)}`,
      rows,
    );
    expect([status, json]).toMatchObject([200, { added: documents.length }]);
  });

  test("answers the request of the contract as the library does, with its receipt", async () => {
    const { status, json } = await server.send("POST", "/v1/recall", REQUEST);
    expect(status).toBe(200);
    const { used_time_ms, ...answer } = recallAnswer.parse(json);
    const { used_time_ms: _, ...own } = await library.recall(
      REQUEST as { ctx: RecallContext } & typeof REQUEST,
    );
    expect(used_time_ms).toBeGreaterThan(0);
    expect(answer).toEqual(JSON.parse(JSON.stringify({ ...own, receipt: { version: 1, ...own.receipt } })));
    expect(answer.warnings).toEqual(['no document "evt-unknown", so it is not in focus']);
    expect(answer.results.map(({ doc_id }) => doc_id)).not.toContain("gift.md");
    expect(answer.results[0]).toMatchObject({
      cross_encoder: expect.any(Number),
      source: expect.any(String),
    });
    expect(answer.trace).toMatchObject({ stage: "final", top3: [{}, {}, {}] });
    expect(await library.verifyReceipt(JSON.stringify(json.receipt))).toMatchObject({ isSame: true });
  });

  test("names what is wrong in a request", async () => {
    for (const [body, code] of [
      [{ ctx: {} }, 400],
      [{ query_text: "x", ctx: { nope: 1 } }, 400],
      [{ query_text: "x", ctx: { now: 0.5 } }, 400],
      [{ query_text: "x", ctx: { space_id: "personal:nobody" } }, 404],
    ] as const) {
      const { status, json } = await server.send("POST", "/v1/recall", body);
      expect([status, JSON.stringify(json)]).toEqual([code, expect.stringContaining("code")]);
    }
  });
});

describe.each(TRANSPORTS)("the MCP tool over %s", (transport) => {
  const folder = join(scratchFolder(), transport);
  let server: Connected;
  beforeAll(async () => {
    mkdirSync(folder);
    writeFiles(folder, {
      "cake.md": "---\ndate: 2026-11-01\npeople: [alice]\n---\n# Cake\n\nFlour, eggs and chocolate.\n",
      "secret.md": "---\nband: RED\n---\nThe cake is hidden.\n",
    });
    server = await connect(transport, folder, "--model", "tiny", "--cross-encoder", "tiny-cross");
    await server.call("reindex");
  });
  afterAll(() => server.close());

  test("recalls what may be seen, with reasons and a receipt that this device verifies", async () => {
    const ctx = { person_id: "alice", now: Date.UTC(2026, 10, 17), allow_cross_encoder: true };
    const answer = await server.call("recall", { query_text: "chocolate cake", ctx });
    expect(new Set(answer.results.map(({ doc_id }: { doc_id: string }) => doc_id))).toEqual(
      new Set(["cake.md"]),
    );
    const reasons = answer.results.map((each: { reasons: string[] }) => each.reasons.join()).join(";");
    expect(reasons).toMatch(/bm25\*1\.00=1\.000,.*personalization\*0\.30=0\.150,.*cross_encoder=/);
    const twin = await open(":memory:", { model: "tiny", crossEncoder: "tiny-cross" });
    await twin.addFiles([folder], { root: folder });
    expect(await twin.verifyReceipt(JSON.stringify(answer.receipt))).toMatchObject({ isSame: true });
    await twin.close();
  });
});
