/** What operators see: log lines, metrics and spans, under contract 5's names. */
import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notes, type Running, running } from "./running.ts";

const exporter = new InMemorySpanExporter();
let server: Running;
beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
  server = await running();
  await server.send("POST", "/v1/hybrid/ingest?namespace=research", notes(6));
});
afterAll(() => {
  trace.disable();
  context.disable();
  propagation.disable();
});

const ask = (body: object) => server.send("POST", "/v1/hybrid/query", { namespace: "research", ...body });

describe("the log", () => {
  test("has one line per query, with the contract's fields", async () => {
    const before = server.lines.length;
    const { json } = await ask({ query: "equal scores" });
    const lines = server.lines.slice(before);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      ...{ level: "INFO", event: "hybrid_search", namespace: "research", query: "equal scores" },
      total_candidates: json.total_candidates,
      results_count: json.results.length,
      timings_ms: { lexical: expect.any(Number), dense: expect.any(Number), fusion: expect.any(Number) },
      fusion_weights: { bm25: 0.35, dense: 0.65 },
    });
    expect(new Date(lines[0].timestamp).toISOString()).toBe(lines[0].timestamp);
  });

  test("has one line per other request, and the code of an error", async () => {
    const before = server.lines.length;
    await server.send("GET", "/v1/models");
    await ask({ query: "" });
    expect(server.lines.slice(before)).toMatchObject([
      { event: "request", path: "/v1/models", status: 200 },
      { event: "request", path: "/v1/hybrid/query", status: 400, error: "BAD_ARGUMENT" },
    ]);
  });

  test("leaves out queries if it is told to", async () => {
    const lines: string[] = [];
    const quiet = await running({
      log: { queries: false, destination: { write: (line) => void lines.push(line) } },
    });
    await quiet.send("POST", "/v1/hybrid/ingest", notes(1));
    await quiet.send("POST", "/v1/hybrid/query", { query: "secret words" });
    await quiet.close();
    expect(lines.join("")).toContain("hybrid_search");
    expect(lines.join("")).not.toContain("secret");
  });
});

describe("metrics", () => {
  test("are contract 5's, and the process's", async () => {
    const response = await fetch(`${server.url}/metrics`);
    expect(response.headers.get("content-type")).toContain("text/plain");
    const text = await response.text();
    expect(text).toMatch(/^hybrid_ingest_rows_total\{namespace="research"\} 6$/m);
    expect(text).toMatch(/^hybrid_ingest_duration_seconds\{namespace="research"\} [0-9.]+$/m);
    expect(text).toMatch(/^hybrid_query_latency_seconds_bucket\{le="0\.15",namespace="research"\} \d+$/m);
    expect(text).toMatch(/^hybrid_query_latency_seconds_count\{namespace="research"\} \d+$/m);
    expect(text).toMatch(/^# TYPE hybrid_ingest_rows_total counter$/m);
    expect(text).toMatch(/^# TYPE hybrid_ingest_duration_seconds gauge$/m);
    expect(text).toMatch(/^# TYPE hybrid_query_latency_seconds histogram$/m);
    expect(text).toMatch(/^# TYPE hybrid_snapshot_age_seconds gauge$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
    expect(text).not.toContain("gpu");
  });

  test("forget a namespace that is dropped, and clients cannot make series", async () => {
    await server.send("POST", "/v1/hybrid/ingest?namespace=dropped", notes(1));
    await server.send("DELETE", "/v1/namespaces/dropped");
    await server.send("GET", "/made-up");
    const text = await (await fetch(`${server.url}/metrics`)).text();
    expect(text).not.toContain('namespace="dropped"');
    expect(text).not.toContain("made-up");
  });
});

describe("spans", () => {
  /** The names of a trace, nested as the spans are. */
  function tree(spans: readonly ReadableSpan[], parent: string | undefined): object {
    const children = spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent);
    const sorted = [...children].sort(
      (a, b) => a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1],
    );
    return Object.fromEntries(sorted.map((span) => [span.name, tree(spans, span.spanContext().spanId)]));
  }

  test("are named and nested as in the contract", async () => {
    exporter.reset();
    await ask({ query: "spans of equal scores", diversification: true });
    const spans = exporter.getFinishedSpans();
    expect(tree(spans, undefined)).toStrictEqual({
      hybrid_search: {
        validate_request: {},
        lexical_search: { bm25_search: {}, splade_search: {} },
        dense_search: { faiss_search: {} },
        fusion: { rrf_fusion: {}, mmr_diversify: {} },
      },
    });
    const skipped = spans.filter(({ attributes }) => attributes["selfsame.skipped"] === true);
    expect(skipped.map(({ name }) => name)).toStrictEqual(["splade_search"]);
    const root = spans.find(({ name }) => name === "hybrid_search")!;
    expect(root.attributes).toMatchObject({ namespace: "research", results_count: 6, degraded: false });
    const nanoseconds = ([seconds, rest]: [number, number]) =>
      BigInt(seconds) * 1_000_000_000n + BigInt(rest);
    for (const { startTime, endTime } of spans)
      expect(nanoseconds(endTime) >= nanoseconds(startTime)).toBe(true);
  });

  test("of a refused query say so", async () => {
    exporter.reset();
    await ask({ query: "" });
    expect(exporter.getFinishedSpans().map(({ name, status }) => [name, status.code])).toStrictEqual([
      ["validate_request", 0],
      ["hybrid_search", 2],
    ]);
  });
});
