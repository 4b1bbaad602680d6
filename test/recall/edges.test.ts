/** Recall over the edges: what people, agents and clients of the service see. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { RecallResponse } from "selfsame";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recallAnswer, recallAnswerOf, recallRequest, recallRequestOf } from "#dist/http/index.js";
import { open } from "#dist/index.js";

const root = join(import.meta.dirname, "../..");
const family = join(root, "test-vectors/family");
const folder = mkdtempSync(join(tmpdir(), "recall-"));
const db = join(folder, "family.db");
const selfsame = (...args: string[]) =>
  promisify(execFile)(process.execPath, [join(root, "dist/cli.bundle/main.js"), ...args], { cwd: folder });

beforeAll(async () => {
  const library = await open(db, { model: "tiny" });
  await library.addFiles([family], { root: family });
  await library.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("selfsame recall", () => {
  it("explains each memory, sees what the person may see, and writes a receipt that is verified", async () => {
    const receipt = join(folder, "receipt.json");
    const asked = [
      "recall",
      "birthday balloons",
      "--db",
      db,
      "--person",
      "bob",
      "--now",
      "2026-11-17",
      "--top-k",
      "20",
    ];
    const { stdout } = await selfsame(...asked, "--explain", "--receipt", receipt);
    expect(stdout).toContain("gift-for-alice.md");
    expect(stdout).toMatch(/How it came about\n {3}now: 2026-11-17T00:00:00.000Z \(as given\)/);
    expect(stdout).toMatch(/bm25 +1\.000 +█+/);
    expect(stdout).not.toContain("max-allergy");
    expect(JSON.parse(readFileSync(receipt, "utf8")).parameters.kind).toBe("recall");
    expect((await selfsame("verify-receipt", receipt, "--db", db)).stdout).toMatch(/same/i);
    const { stdout: json } = await selfsame(
      ...asked.map((each) => (each === "bob" ? "alice" : each)),
      "--json",
    );
    const { results } = JSON.parse(json) as RecallResponse;
    expect(results.map(({ doc_id }) => doc_id)).not.toContain("gift-for-alice.md");
  });

  it("ranks the first again with a cross-encoder, which a receipt names", async () => {
    const receipt = join(folder, "again.json");
    const encoder = ["--cross-encoder", "tiny-cross"];
    const asked = ["recall", "birthday balloons", "--db", db, "--now", "2026-11-17", "--top-k", "3"];
    const { stdout } = await selfsame(...asked, ...encoder, "--explain", "--receipt", receipt);
    expect(stdout).toMatch(/cross_encoder +-?\d\.\d{3} {2}decides the place/);
    expect((await selfsame("verify-receipt", receipt, "--db", db, ...encoder)).stdout).toMatch(/^Same/);
    await expect(selfsame("verify-receipt", receipt, "--db", db)).rejects.toMatchObject({
      stdout: expect.stringContaining("parameters.cross_encoder"),
    });
  });

  it("says which moment a receipt needs", async () => {
    await expect(selfsame("recall", "x", "--db", db, "--receipt", "r.json")).rejects.toThrow(/--now/);
  });
});

describe("the envelopes of servers", () => {
  it("fit what the library takes and gives", async () => {
    const library = await open(db, { model: "tiny" });
    const request = recallRequest.parse({
      query_text: "lake",
      ctx: { person_id: "alice", now: 0, filters: { max_band: "AMBER" }, weights: { rrf: 2 } },
    });
    const answer = recallAnswerOf(await library.recall(recallRequestOf(request)));
    expect(recallAnswer.parse(answer)).toEqual(answer);
    expect(answer.results[0]!.features["rrf"]).toBeGreaterThan(0);
    expect(await library.verifyReceipt(JSON.stringify(answer.receipt))).toMatchObject({ isSame: true });
    await library.close();
  });
});
