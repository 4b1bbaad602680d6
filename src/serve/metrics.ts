import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Contract 5 promises a median of 150 ms and a 99th percentile of 600 ms: both are bounds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.6, 1, 2.5, 5, 10];

/** The metrics of contract 5, under its names, and those of the process. There are none of a GPU: there is no GPU. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #rows = new Counter({
    name: "hybrid_ingest_rows_total",
    help: "Documents received and written, unchanged ones included",
    labelNames: ["namespace"],
    registers: [this.#registry],
  });
  readonly #ingest = new Gauge({
    name: "hybrid_ingest_duration_seconds",
    help: "How long the last ingest took",
    labelNames: ["namespace"],
    registers: [this.#registry],
  });
  readonly #query = new Histogram({
    name: "hybrid_query_latency_seconds",
    help: "From the arrival of a query to its answer",
    labelNames: ["namespace"],
    buckets: BUCKETS,
    registers: [this.#registry],
  });
  readonly #snapshots = new Gauge({
    name: "hybrid_snapshot_age_seconds",
    help: "The age of the newest snapshot; absent if there is none",
    labelNames: ["namespace"],
    registers: [this.#registry],
  });
  readonly #requests = new Counter({
    name: "http_requests_total",
    help: "Requests by path and status",
    labelNames: ["path", "status"],
    registers: [this.#registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  rowsIngested(namespace: string, rows: number): void {
    this.#rows.inc({ namespace }, rows);
  }

  ingested(namespace: string, seconds: number): void {
    this.#ingest.set({ namespace }, seconds);
  }

  queried(namespace: string, seconds: number): void {
    this.#query.observe({ namespace }, seconds);
  }

  requested(path: string, status: number): void {
    this.#requests.inc({ path, status });
  }

  /** Forgets a namespace that was dropped, so that its series end. */
  forget(namespace: string): void {
    for (const metric of [this.#rows, this.#ingest, this.#query, this.#snapshots])
      metric.remove({ namespace });
  }

  /** Returns all metrics as text. `ages` are those of the newest snapshots, in seconds. */
  async text(ages: ReadonlyMap<string, number>): Promise<{ readonly type: string; readonly body: string }> {
    this.#snapshots.reset();
    for (const [namespace, age] of ages) this.#snapshots.set({ namespace }, age);
    return { type: this.#registry.contentType, body: await this.#registry.metrics() };
  }

  close(): void {
    this.#registry.clear();
  }
}
