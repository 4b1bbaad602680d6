/** Recall as an application uses it: reasons, budgets, policy, feedback, receipts. SPEC §26 */
import fc from "fast-check";
import type { DocumentInput, Library, RecallContext, RecallResponse } from "selfsame";
import { FEATURES, open, WEIGHTS } from "selfsame";
import { loadCrossEncoder } from "selfsame/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import vectors from "../../test-vectors/recall.json" with { type: "json" };

const LONG = import.meta.env.MODE === "long";
const NOW = Date.UTC(2026, 10, 17, 18);
const DOCUMENTS = vectors.documents as readonly DocumentInput[];
const QUERY = "birthday party balloons and candles";

async function libraryOf(documents: readonly DocumentInput[], options = {}): Promise<Library> {
  const library = await open(":memory:", { model: "tiny", namespace: "shared:household", ...options });
  await library.add(documents);
  return library;
}

/** An answer without what is measured. */
function printed({ used_time_ms: _, ...answer }: RecallResponse): string {
  return JSON.stringify(answer);
}

let library: Library;
beforeAll(async () => {
  library = await libraryOf(DOCUMENTS);
});
afterAll(() => library.close());

const ask = (ctx: RecallContext = {}, query_text = QUERY) =>
  library.recall({ query_text, ctx: { now: NOW, ...ctx } });

describe("a score", () => {
  it("is the sum of its contributions in binary32, in the order of the table, and its reasons say so", async () => {
    const { results } = await ask({ person_id: "alice", focus_event_id: "recipes/cake.md" });
    expect(results.length).toBeGreaterThan(4);
    for (const { score, features, contributions, reasons, confidence } of results) {
      let sum = 0;
      for (const name of FEATURES) {
        expect(contributions[name]).toBe(Math.fround(Math.fround(WEIGHTS[name]) * features[name]) + 0);
        sum = Math.fround(sum + contributions[name]);
      }
      expect(score).toBe(sum);
      const terms = FEATURES.filter((name) => contributions[name] !== 0).map((name) =>
        name === "rrf"
          ? `rrf=+${contributions.rrf.toFixed(3)}`
          : `${name}*${WEIGHTS[name].toFixed(2)}=${contributions[name].toFixed(3)}`,
      );
      expect(reasons).toEqual([...terms, `conf≈${confidence.toFixed(2)}`]);
    }
  });

  it("takes other weights and constants", async () => {
    const { results, receipt } = await ask({
      weights: { cosine: 0, recency: 10 },
      calibration: { slope: 0, offset: 0 },
      mmr_lambda: 1,
    });
    expect(new Set(results.map(({ contributions }) => contributions.cosine))).toEqual(new Set([0]));
    expect(results[0]!.doc_id).toBe("school/meeting.md");
    expect(results.every(({ confidence }) => confidence === 0.5)).toBe(true);
    expect(receipt!.parameters["weights"]).toMatchObject({ cosine: 0, recency: 10, bm25: 1 });
  });
});

describe("any request", () => {
  const contexts = fc.record(
    {
      person_id: fc.constantFrom("alice", "bob", "carol"),
      focus_event_id: fc.constantFrom("recipes/cake.md", "gift.md", "nothing"),
      workspace: fc.array(fc.constantFrom("the lake", "apple trees", "?"), { maxLength: 3 }),
      time_budget_ms: fc.double({ min: -10, max: 2000, noNaN: true }),
      top_k: fc.integer({ min: -5, max: 200 }),
      mmr_lambda: fc.double({ min: -1, max: 2, noNaN: true }),
      near_duplicates: fc.integer({ min: -3, max: 80 }),
      per_document: fc.integer({ min: -1, max: 4 }),
      tom: fc.array(fc.constantFrom("bake", "sleep", "celebrate"), { maxLength: 4 }),
      affect: fc.record({
        valence: fc.double({ min: -1, max: 1, noNaN: true }),
        arousal: fc.double({ min: -1, max: 1, noNaN: true }),
      }),
      weights: fc.dictionary(fc.constantFrom(...FEATURES), fc.double({ min: -5, max: 5, noNaN: true }), {
        noNullPrototype: true,
      }),
      filters: fc.record(
        {
          max_band: fc.constantFrom("GREEN", "AMBER", "RED", "BLACK"),
          roles: fc.constantFrom([], ["parents"]),
          allow_shared: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
  const queries = fc.constantFrom(QUERY, "lena", '"birthday party" -nuts', "cake recipe", "summer", "?!");

  it("keeps its budgets, and every score is the sum of its reasons", async () => {
    await fc.assert(
      fc.asyncProperty(contexts, queries, async (ctx, query) => {
        const { results, trace, receipt } = await ask(ctx as RecallContext, query);
        const topK = Math.min(100, Math.max(1, ctx.top_k ?? 12));
        const each = Math.min(100, Math.max(1, ctx.per_document ?? 100));
        expect(results.length).toBeLessThanOrEqual(topK);
        const { budget } = trace;
        expect(budget.top_k).toBe(topK);
        expect([5, 1000]).toEqual([
          Math.min(5, budget.time_budget_ms),
          Math.max(1000, budget.time_budget_ms),
        ]);
        for (const { stage, candidates } of trace.stages)
          if (["vector", "fts", "tfidf", "kg"].includes(stage))
            expect(candidates).toBeLessThanOrEqual(budget.candidates);
        for (const { doc_id, score, contributions, confidence, reasons } of results) {
          expect(results.filter((other) => other.doc_id === doc_id).length).toBeLessThanOrEqual(each);
          let sum = 0;
          for (const name of FEATURES) sum = Math.fround(sum + contributions[name]);
          expect(score).toBe(sum);
          expect(confidence >= 0 && confidence <= 1).toBe(true);
          const terms = FEATURES.filter((name) => contributions[name] !== 0);
          expect(reasons.slice(0, -1).map((reason) => reason.split(/[*=]/)[0])).toEqual(terms);
        }
        expect(await library.verifyReceipt(JSON.parse(JSON.stringify(receipt)))).toMatchObject({
          isSame: true,
        });
      }),
      { numRuns: LONG ? 500 : 40 },
    );
  });
});

describe("policy", () => {
  const bands = fc.constantFrom(undefined, "GREEN", "AMBER", "RED", "BLACK", "PURPLE");
  const readers = fc.constantFrom(undefined, ["alice"], ["bob"], ["parents"], [], "alice");
  const people = fc.record({
    person_id: fc.constantFrom("alice", "bob"),
    filters: fc.record({
      max_band: fc.constantFrom("GREEN", "AMBER", "RED"),
      roles: fc.constantFrom([], ["parents"]),
    }),
  });

  it("takes forbidden documents out before ranking: an answer is the same where they never were", async () => {
    const marks = fc.array(fc.record({ band: bands, readers }), { minLength: 8, maxLength: 8 });
    const queries = fc.constantFrom(QUERY, "lena", '"birthday party" -nuts', "cake recipe", "zebra");
    await fc.assert(
      fc.asyncProperty(marks, people, queries, async (marked, who, query_text) => {
        const documents = DOCUMENTS.map((document, i) => ({
          ...document,
          metadata: JSON.parse(JSON.stringify({ ...document.metadata, ...marked[i] })),
        }));
        const levels = ["GREEN", "AMBER", "RED", "BLACK"];
        const permitted = documents.filter(({ metadata }) => {
          const level = levels.indexOf(metadata.band ?? "GREEN");
          if (level < 0 || level > levels.indexOf(who.filters.max_band)) return false;
          const names = [who.person_id, ...who.filters.roles];
          return (
            metadata.readers === undefined || names.some((name) => [metadata.readers].flat().includes(name))
          );
        });
        const ctx = { ...who, now: NOW, focus_event_id: "recipes/cake.md" } as RecallContext;
        const [all, few] = await Promise.all([libraryOf(documents), libraryOf(permitted)]);
        const [one, other] = await Promise.all([
          all.recall({ query_text, ctx }),
          few.recall({ query_text, ctx }),
        ]);
        await Promise.all([all.close(), few.close()]);
        const rootless = ({ receipt, ...answer }: RecallResponse): RecallResponse => ({
          ...answer,
          receipt: { ...receipt!, root: "", metadataRoot: "", digest: "" },
        });
        expect(printed(rootless(one))).toBe(printed(rootless(other)));
        const paths = new Set(permitted.map(({ path }) => path));
        expect(one.results.every(({ doc_id }) => paths.has(doc_id))).toBe(true);
      }),
      { numRuns: LONG ? 200 : 12 },
    );
  });

  it("treats a focused document that may not be seen as one that does not exist", async () => {
    const { warnings } = await ask({ focus_event_id: "gift.md" });
    expect(warnings).toEqual(['no document "gift.md", so it is not in focus']);
  });

  it("answers for its own space alone", async () => {
    await expect(ask({ space_id: "personal:alice" })).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
    await expect(ask({ space_id: "shared:household" })).resolves.toMatchObject({ warnings: [] });
  });
});

describe("budgets", () => {
  it("are clamped, and the trace says so", async () => {
    const { trace } = await ask({ top_k: 500, time_budget_ms: 1, mmr_lambda: 7, near_duplicates: -1 });
    expect(trace.clamped).toEqual([
      "time_budget_ms: 1 → 5",
      "top_k: 500 → 100",
      "mmr_lambda: 7 → 1",
      "near_duplicates: -1 → 0",
    ]);
    expect(trace.budget).toEqual({ time_budget_ms: 5, top_k: 100, candidates: 100, hops: 0, pairs: 0 });
    expect(trace.stage).toBe("final");
  });

  it("count work: equal counts give equal results, whatever the milliseconds", async () => {
    const [a, b] = await Promise.all([ask({ time_budget_ms: 20 }), ask({ time_budget_ms: 99 })]);
    expect(b.results).toEqual(a.results);
  });

  it("give at most top_k results, fewer of them where they are nearly the same", async () => {
    expect((await ask({ top_k: 2 })).results).toHaveLength(2);
    const twins = DOCUMENTS.map((document) => ({ ...document, path: `twin/${document.path}` }));
    const both = await libraryOf([...DOCUMENTS, ...twins]);
    const { results } = await both.recall({ query_text: QUERY, ctx: { now: NOW, top_k: 50 } });
    const folded = results.filter(({ duplicates }) => duplicates.length > 0);
    expect(folded.length).toBeGreaterThan(3);
    await both.close();
  });

  it("have a hard limit, without a receipt where it cut stages off", async () => {
    const { receipt, trace } = await ask({ deadline_ms: 60_000 });
    expect(receipt).not.toBeNull();
    expect(trace.left_out).toEqual([]);
    const slow = await libraryOf(DOCUMENTS);
    slow.registerStore({
      name: "slow",
      search: () => new Promise((resolve) => setTimeout(resolve, 20, [])),
    });
    const cut = await slow.recall({ query_text: QUERY, ctx: { now: NOW, deadline_ms: 1 } });
    expect(cut.receipt).toBeNull();
    expect(cut.trace.left_out.length).toBeGreaterThan(3);
    expect(cut.trace.stage).not.toBe("final");
    await slow.close();
  });
});

describe("receipts", () => {
  it("are verified, also by another library, and name what differs", async () => {
    const { receipt } = await ask({
      person_id: "alice",
      workspace: ["the lake"],
      filters: { path: "**/*.md" },
    });
    const other = await libraryOf([...DOCUMENTS].reverse(), { build: "scalar" });
    expect(await other.verifyReceipt(JSON.parse(JSON.stringify(receipt)))).toMatchObject({ isSame: true });
    await other.add([{ path: "new.md", text: "birthday party balloons and candles" }]);
    const { isSame, differences } = await other.verifyReceipt(receipt!);
    expect(isSame).toBe(false);
    expect(JSON.stringify(differences)).toContain('"root"');
    await other.close();
  });

  it("are the same after documents were removed and added again in another order", async () => {
    const own = await libraryOf(DOCUMENTS);
    const ctx = { now: NOW, filters: { path: "**" } };
    const before = await own.recall({ query_text: QUERY, ctx });
    await own.remove(DOCUMENTS.map(({ path }) => path));
    for (const document of [...DOCUMENTS].reverse()) await own.add([document]);
    expect(printed(await own.recall({ query_text: QUERY, ctx }))).toBe(printed(before));
    await own.close();
  });

  it("are the same on three builds", async () => {
    const digests = new Set<string>();
    for (const build of ["simd", "soft", "scalar"] as const) {
      const each = await libraryOf(DOCUMENTS, { build });
      digests.add((await each.recall({ query_text: QUERY, ctx: { now: NOW } })).receipt!.digest);
      await each.close();
    }
    expect(digests.size).toBe(1);
  });

  it("need a moment: without one the clock is read, and the answer says so", async () => {
    const answer = await library.recall({ query_text: QUERY });
    expect(answer).toMatchObject({ receipt: null, now_source: "clock" });
    expect((await ask()).now_source).toBe("request");
  });
});

describe("stores of an application", () => {
  it("are asked, named as the source and in the receipt, and see nothing that policy forbids", async () => {
    const own = await libraryOf(DOCUMENTS);
    own.registerStore({
      name: "calendar",
      search: ({ k }) => [{ doc_id: "garden.txt" }, { doc_id: "gift.md" }, { doc_id: "none.md" }].slice(0, k),
    });
    const { results, receipt } = await own.recall({
      query_text: "zeppelin",
      ctx: { now: NOW, stores: ["calendar"] },
    });
    expect(results.map(({ doc_id, source }) => [doc_id, source])).toEqual([["garden.txt", "calendar"]]);
    expect(receipt!.parameters["stores"]).toEqual(["calendar"]);
    expect(await own.verifyReceipt(receipt!)).toMatchObject({ isSame: true });
    await expect(library.verifyReceipt(receipt!)).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
    expect(() => own.registerStore({ name: "fts", search: () => [] })).toThrow(/another name/);
    await own.close();
  });
});

describe("feedback", () => {
  it("moves weights by at most half, the same in any order, only where it is wanted, and can be forgotten", async () => {
    const events = [
      { query: QUERY, accepted: ["recipes/cake.md"], rejected: ["party/lena.md"], at: 1 },
      { query: "party", accepted: ["garden.txt"], at: 2 },
      { query: "lake", accepted: ["trip.md"], rejected: ["garden.txt"], at: 3 },
      { query: "lake", accepted: ["trip.md"], rejected: ["garden.txt"], at: 3 },
    ];
    const weightsAfter = async (given: typeof events) => {
      const each = await libraryOf(DOCUMENTS);
      const before = printed(await each.recall({ query_text: QUERY, ctx: { now: NOW } }));
      for (const event of given)
        await each.feedback({ ...event, query: { query_text: event.query, ctx: { now: NOW } } });
      expect(printed(await each.recall({ query_text: QUERY, ctx: { now: NOW } }))).toBe(before);
      const { receipt } = await each.recall({ query_text: QUERY, ctx: { now: NOW, use_feedback: true } });
      expect(await each.verifyReceipt(receipt!)).toMatchObject({ isSame: true });
      expect(await each.resetFeedback()).toBe(3);
      expect(printed(await each.recall({ query_text: QUERY, ctx: { now: NOW, use_feedback: true } }))).toBe(
        before,
      );
      await each.close();
      return receipt!.parameters["weights"] as Record<string, number>;
    };
    const weights = await weightsAfter(events);
    expect(await weightsAfter([...events].reverse())).toEqual(weights);
    expect(weights).not.toEqual(WEIGHTS);
    for (const name of FEATURES) {
      const [from, to] = [WEIGHTS[name], weights[name]!];
      expect(Math.abs(to - from)).toBeLessThanOrEqual(Math.abs(from) / 2 + 1e-6);
    }
  });
});

describe("a cross-encoder", () => {
  const ctx = { now: NOW, allow_cross_encoder: true, time_budget_ms: 20 };

  it("ranks as many of the first again as the budget has pairs, and the receipt names it", async () => {
    const own = await libraryOf(DOCUMENTS, { crossEncoder: "tiny-cross" });
    const { model } = await loadCrossEncoder({ model: "tiny-cross" });
    const plain = await ask({ time_budget_ms: 20 });
    const { results, receipt, trace, warnings } = await own.recall({ query_text: QUERY, ctx });
    expect(warnings).toEqual([]);
    expect(trace.stages.at(-1)).toEqual({ stage: "cross_encoder", candidates: 4 });
    expect(results.slice(4)).toEqual(plain.results.slice(4));
    const first = plain.results
      .slice(0, 4)
      .map((each) => ({ ...each, cross_encoder: model.score(QUERY, each.text) }))
      .sort((a, b) => b.cross_encoder - a.cross_encoder);
    expect(results.slice(0, 4)).toEqual(
      first.map((each) => ({
        ...each,
        reasons: [
          ...each.reasons,
          `cross_encoder=${each.cross_encoder < 0 ? "" : "+"}${each.cross_encoder.toFixed(3)}`,
        ],
      })),
    );
    expect(results.map(({ chunk_id }) => chunk_id)).not.toEqual(
      plain.results.map(({ chunk_id }) => chunk_id),
    );
    expect(receipt!.parameters["cross_encoder"]).toEqual(model.identity);
    expect(await own.verifyReceipt(receipt!)).toMatchObject({ isSame: true });
    const { isSame, differences } = await library.verifyReceipt(receipt!);
    expect(isSame).toBe(false);
    expect(JSON.stringify(differences)).toContain("parameters.cross_encoder");
    await own.close();
  });

  it("that is not there, or cannot be loaded, is a warning, and nothing is ranked again", async () => {
    const plain = await ask({ time_budget_ms: 20 });
    for (const crossEncoder of [undefined, "tiny", "file:///nowhere/model.json"]) {
      const own = await libraryOf(DOCUMENTS, crossEncoder === undefined ? {} : { crossEncoder });
      const { results, receipt, warnings } = await own.recall({ query_text: QUERY, ctx });
      expect(warnings.join()).toMatch(/not ranked again/);
      expect(results).toEqual(plain.results);
      expect(receipt!.parameters["cross_encoder"]).toBeNull();
      await own.close();
    }
  });

  it("is left out if the budget has no pairs for it, or the deadline has passed", async () => {
    const own = await libraryOf(DOCUMENTS, { crossEncoder: "tiny-cross" });
    const few = await own.recall({ query_text: QUERY, ctx: { ...ctx, time_budget_ms: 10 } });
    expect(few.trace.left_out).toEqual(["cross_encoder: time_budget_ms leaves no pairs for it"]);
    expect(few.receipt!.parameters["cross_encoder"]).toBeNull();
    expect(await own.verifyReceipt(few.receipt!)).toMatchObject({ isSame: true });
    own.registerStore({ name: "slow", search: () => new Promise((done) => setTimeout(done, 20, [])) });
    const late = await own.recall({ query_text: QUERY, ctx: { ...ctx, deadline_ms: 1 } });
    expect(late.trace.left_out).toContain("cross_encoder: the deadline had passed");
    expect(late.receipt).toBeNull();
    await own.close();
  });
});

describe("bad requests", () => {
  it.each([
    [{ query_text: 7 }, "query_text"],
    [{ query_text: "x", ctx: { nope: 1 } }, "ctx.nope"],
    [{ query_text: "x", ctx: { top_k: 1.5 } }, "ctx.top_k"],
    [{ query_text: "x", ctx: { top_k: Number.NaN } }, "ctx.top_k"],
    [{ query_text: "x", ctx: { now: "today" } }, "ctx.now"],
    [{ query_text: "x", ctx: { filters: { max_band: "PURPLE" } } }, "ctx.filters.max_band"],
    [{ query_text: "x", ctx: { filters: { allow_shared: 1 } } }, "ctx.filters.allow_shared"],
    [{ query_text: "x", ctx: { weights: { nope: 1 } } }, "ctx.weights.nope"],
    [{ query_text: "x", ctx: { weights: { bm25: 1e9 } } }, "ctx.weights.bm25"],
    [{ query_text: "x", ctx: { affect: { valence: 2, arousal: 0 } } }, "ctx.affect.valence"],
    [{ query_text: "x", ctx: { workspace: Array.from({ length: 17 }, () => "x") } }, "ctx.workspace"],
    [{ query_text: "x", ctx: { stores: ["nope"] } }, "ctx.stores"],
    [{ query_text: "x", ctx: { deadline_ms: 0 } }, "ctx.deadline_ms"],
  ])("%j names %s", async (request, argument) => {
    await expect(library.recall(request as never)).rejects.toMatchObject({
      code: "BAD_ARGUMENT",
      details: { argument },
    });
  });

  it("gets a warning, and no bump, for a cross-encoder that is not there", async () => {
    const [without, withIt] = await Promise.all([ask(), ask({ allow_cross_encoder: true })]);
    expect(withIt.warnings.join()).toMatch(/no cross-encoder/);
    expect(withIt.results).toEqual(without.results);
  });
});
