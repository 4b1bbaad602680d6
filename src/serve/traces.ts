import type { IncomingHttpHeaders } from "node:http";
import {
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { NamespaceAnswer } from "../index.ts";

type Stages = NamespaceAnswer["stages"];
type StageName = Stages[number]["name"];

/**
 * The spans of a query, named and nested as in contract 5. The application that starts the server installs an SDK; without one,
 * all of this does nothing.
 */
export class Traces {
  readonly #tracer: Tracer = trace.getTracer("selfsame");

  /** Runs a query inside the span `hybrid_search`, which continues the trace that the request's headers name. */
  async query<T>(headers: IncomingHttpHeaders, work: (span: QuerySpan) => Promise<T>): Promise<T> {
    const outside = propagation.extract(context.active(), headers);
    const span = this.#tracer.startSpan("hybrid_search", { kind: SpanKind.SERVER }, outside);
    try {
      return await work(new QuerySpan(this.#tracer, span, trace.setSpan(outside, span)));
    } catch (error) {
      span.recordException(error as Error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).message });
      throw error;
    } finally {
      span.end();
    }
  }
}

/** The span of one query. */
export class QuerySpan {
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #inside: Context;

  constructor(tracer: Tracer, span: Span, inside: Context) {
    this.#tracer = tracer;
    this.#span = span;
    this.#inside = inside;
  }

  /** Runs the check of the request as `validate_request`. */
  validate<T>(work: () => T): T {
    const span = this.#tracer.startSpan("validate_request", {}, this.#inside);
    try {
      return work();
    } finally {
      span.end();
    }
  }

  /**
   * Adds the steps of a search, which ran in another thread from `startMs` (since 1970) on. A channel that did not run has a span
   * without length and the attribute `selfsame.skipped`.
   */
  searched(
    startMs: number,
    stages: Stages,
    facts: Readonly<Record<string, string | number | boolean>>,
  ): void {
    if (!this.#span.isRecording()) return;
    this.#span.setAttributes(facts);
    const time = (name: StageName) => {
      const stage = stages.find((each) => each.name === name);
      return stage === undefined
        ? null
        : { from: startMs + stage.start, to: startMs + stage.start + stage.duration };
    };
    const lexical = time("lexical");
    const sparse = time("sparse");
    const embed = time("embed");
    const semantic = time("semantic");
    const fusion = time("fusion");
    const diversity = time("diversity");
    this.#parent("lexical_search", spanning(lexical, sparse), startMs, [
      ["bm25_search", lexical],
      ["splade_search", sparse],
    ]);
    this.#parent("dense_search", spanning(embed, semantic), startMs, [["faiss_search", semantic]]);
    this.#parent("fusion", spanning(fusion, diversity), startMs, [
      ["rrf_fusion", fusion],
      ["mmr_diversify", diversity],
    ]);
  }

  #parent(
    name: string,
    time: Period | null,
    startMs: number,
    children: readonly (readonly [name: string, time: Period | null])[],
  ): void {
    const { from, to } = time ?? { from: startMs, to: startMs };
    const span = this.#tracer.startSpan(name, { startTime: from, ...skipped(time) }, this.#inside);
    const inside = trace.setSpan(this.#inside, span);
    for (const [child, period] of children) {
      const at = period ?? { from: to, to };
      this.#tracer.startSpan(child, { startTime: at.from, ...skipped(period) }, inside).end(at.to);
    }
    span.end(to);
  }
}

interface Period {
  readonly from: number;
  readonly to: number;
}

/** The time from the first of two steps to the last; null if none ran. */
function spanning(a: Period | null, b: Period | null): Period | null {
  if (a === null || b === null) return a ?? b;
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) };
}

function skipped(time: Period | null) {
  return time === null ? { attributes: { "selfsame.skipped": true } } : {};
}
