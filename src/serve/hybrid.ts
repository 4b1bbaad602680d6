import type { IncomingHttpHeaders } from "node:http";
import type { z } from "zod";
import { recallAnswerOf, recallRequest, recallRequestOf } from "../http/index.ts";
import {
  type Library,
  type NamespaceAnswer,
  type NamespaceStats,
  type Namespaces,
  SelfsameError,
  type VectorSource,
} from "../index.ts";
import type { Row } from "./document-rows.ts";
import { ingest } from "./ingest.ts";
import { Latencies } from "./latencies.ts";
import type { Limits } from "./limits.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { NamespaceFacts } from "./namespace-facts.ts";
import { queryAnswerOf, rounded } from "./query-answer.ts";
import { parametersOf, type SearchSettings } from "./query-parameters.ts";
import { type QueryAnswer, queryRequest } from "./query-schema.ts";
import { checked } from "./read-request.ts";
import type { ingestQuery } from "./schemas.ts";
import type { SpooledBody } from "./spooled-body.ts";
import { Traces } from "./traces.ts";

export const DEFAULT_NAMESPACE = "default";

const STATS_MS = 1_000;

export interface HybridOptions {
  readonly namespaces: Namespaces;
  /** Where the vectors of new namespaces come from; undefined if nothing is configured. */
  readonly vectors?: VectorSource | undefined;
  readonly search: SearchSettings;
  readonly limits: Limits;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Contract 5's operations over namespaces, each with its log line, its metrics and its spans. */
export class Hybrid {
  readonly namespaces: Namespaces;
  readonly #options: HybridOptions;
  readonly #traces = new Traces();
  readonly #facts: NamespaceFacts;
  readonly #lexical = new Map<string, Latencies>();
  #stats: Promise<Record<string, NamespaceStats>> | null = null;
  #statsMs = 0;

  constructor(options: HybridOptions) {
    this.#options = options;
    this.namespaces = options.namespaces;
    this.#facts = new NamespaceFacts(options.namespaces);
  }

  /** Answers `POST /v1/hybrid/query`. `body` is what the client sent, as JSON. */
  query(body: unknown, headers: IncomingHttpHeaders): Promise<QueryAnswer> {
    const began = performance.now();
    const { search, log, metrics } = this.#options;
    return this.#traces.query(headers, async (span) => {
      const { request, parameters } = span.validate(() => {
        const request = checked(body, queryRequest);
        return { request, parameters: parametersOf(request, search) };
      });
      const { namespace = DEFAULT_NAMESPACE, query, timeout_ms } = request;
      const startMs = Date.now();
      const found = await this.namespaces.search(
        namespace,
        query,
        parameters,
        timeout_ms === undefined ? {} : { timeoutMs: timeout_ms },
      );
      const answer = queryAnswerOf(request, found, {
        namespace,
        stats: await this.#statsOf(namespace, found),
        warnings: [],
      });
      const { total_candidates, timings_ms, fusion_weights, degraded } = answer;
      const results_count = answer.results.length;
      span.searched(startMs, found.stages, { namespace, total_candidates, results_count, degraded });
      metrics.queried(namespace, (performance.now() - began) / 1000);
      log.event("hybrid_search", {
        namespace,
        query,
        total_candidates,
        results_count,
        timings_ms: logTimings(timings_ms),
        fusion_weights,
        ...(degraded ? { degraded, warnings: answer.warnings } : {}),
      });
      return answer;
    });
  }

  /** Answers `POST /v1/recall`: the space that it names is the namespace. `body` is what the client sent, as JSON. */
  async recall(body: unknown) {
    const began = performance.now();
    const request = recallRequestOf(checked(body, recallRequest));
    const namespace = request.ctx?.space_id ?? DEFAULT_NAMESPACE;
    const answer = await this.existing(namespace, (library) => library.recall(request));
    this.#options.log.event("recall", {
      namespace,
      query: request.query_text,
      results_count: answer.results.length,
      timings_ms: { total: rounded(performance.now() - began) },
      ...(answer.warnings.length > 0 ? { warnings: answer.warnings } : {}),
    });
    return recallAnswerOf(answer);
  }

  /** Answers `POST /v1/hybrid/ingest`. */
  async ingest(
    body: SpooledBody,
    rowsOf: (pieces: AsyncIterable<Uint8Array>) => AsyncGenerator<Row>,
    asked: z.infer<typeof ingestQuery>,
    signal: AbortSignal,
  ) {
    const { limits, log, metrics } = this.#options;
    const { namespace = null, ...declared } = asked;
    const answer = await ingest(body, rowsOf, declared, {
      namespace,
      byDefault: DEFAULT_NAMESPACE,
      documentsMax: limits.documentsMax,
      vectors: this.#options.vectors,
      has: (name) => this.namespaces.has(name),
      use: (name, work, create) => this.namespaces.use(name, work, create),
      onWritten: (name, documents) => metrics.rowsIngested(name, documents),
      signal,
    });
    metrics.ingested(answer.namespace, answer.duration_ms / 1000);
    const { rejections: _, duration_ms, ...facts } = answer;
    log.event("hybrid_ingest", { ...facts, timings_ms: { total: rounded(duration_ms) } });
    return answer;
  }

  /** Answers `DELETE /v1/hybrid/documents`. */
  async remove(namespace: string, paths: readonly string[]) {
    return this.existing(namespace, async (library) => {
      const { removed, missing } = await library.remove(paths);
      const root = await library.root();
      this.#options.log.event("hybrid_delete", { namespace, removed, missing: missing.length, root });
      return { namespace, removed, missing: [...missing], root };
    });
  }

  /** Deletes a namespace. @throws {SelfsameError} FILE_MISSING if there is none */
  async drop(namespace: string) {
    if (!(await this.namespaces.drop(namespace))) throw unknownNamespace(namespace);
    this.#facts.forget(namespace);
    this.#lexical.delete(namespace);
    this.#options.metrics.forget(namespace);
    this.#options.log.event("namespace_dropped", { namespace });
    return { namespace, dropped: true as const };
  }

  /** Works with a namespace that exists. @throws {SelfsameError} FILE_MISSING */
  async existing<T>(namespace: string, work: (library: Library) => Promise<T>): Promise<T> {
    if (!(await this.namespaces.has(namespace))) throw unknownNamespace(namespace);
    return this.namespaces.use(namespace, work);
  }

  /** The state of all namespaces, at most a second old: counting opens files, and probes and pages ask often. */
  recentStats(): Promise<Record<string, NamespaceStats>> {
    if (this.#stats === null || performance.now() - this.#statsMs > STATS_MS) {
      this.#statsMs = performance.now();
      this.#stats = this.namespaces.stats();
      this.#stats.catch(() => {
        this.#stats = null;
      });
    }
    return this.#stats;
  }

  /** The 95th percentile of each namespace's searches by words. */
  lexicalLatencies(): Record<string, { bm25_latency_p95_ms: number }> {
    return Object.fromEntries(
      [...this.#lexical].map(([name, { p95 }]) => [name, { bm25_latency_p95_ms: rounded(p95) }]),
    );
  }

  async #statsOf(namespace: string, { receipt, timings }: NamespaceAnswer): Promise<QueryAnswer["stats"]> {
    const latencies = this.#lexical.get(namespace) ?? new Latencies();
    this.#lexical.set(namespace, latencies);
    // A cached answer took no time, and says nothing about how long words take.
    if (timings.lexical > 0) latencies.add(timings.lexical);
    return {
      faiss: await this.#facts.of(namespace, receipt?.root ?? null),
      lexical: { bm25_latency_p95_ms: rounded(latencies.p95) },
    };
  }
}

/** Contract 5's log has the names without their unit. */
function logTimings({ lexical_ms, dense_ms, fusion_ms, total_ms }: QueryAnswer["timings_ms"]) {
  return { lexical: lexical_ms, dense: dense_ms, fusion: fusion_ms, total: total_ms };
}

function unknownNamespace(namespace: string): SelfsameError {
  return new SelfsameError(
    "FILE_MISSING",
    `expected a namespace that exists, got ${JSON.stringify(namespace)}`,
    "GET /v1/namespaces lists them; POST /v1/hybrid/ingest makes one",
    { details: { namespace } },
  );
}
