import { breathe } from "../engine/breather.ts";
import type { Engine } from "../engine/engine.ts";
import { threads } from "../engine/threads.ts";
import type { WorkerHandle } from "../engine/threads-port.ts";
import { badArgument, checkKinds, optionsArgument } from "../errors/arguments.ts";
import { errorOfRecord } from "../errors/error-record.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { LIST_BYTES, type PairsAnswer, type PairsRequest } from "./pairs-protocol.ts";
import { outOfMemory } from "./vector.ts";

/** Options of `VectorIndex.buildGraph`: threads, progress and cancellation. */
export interface BuildOptions {
  /** Number of threads that compare pairs. 0, the default, uses this thread only. The graph does not depend on it. */
  readonly workers?: number;
  /** Called with the work done and the total work, both counted in comparisons of two vectors. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Stops the work. The promise then rejects with the code ABORTED, and the index is unchanged. */
  readonly signal?: AbortSignal;
}

const RUN = 128; // rows per call: in a longer call V8 never leaves its first, slow tier
const CHOICE_COST = 600; // rough cost of choosing the neighbours of one node, in comparisons
const SLICE = 4_000_000; // comparisons between two yields to the event loop
const WORKERS_MAX = 64;

/** A caller's options, after validation. */
export function buildOptions(options: BuildOptions): BuildOptions {
  const given = optionsArgument(options, { workers: true, onProgress: true, signal: true });
  const { workers = 0 } = given;
  if (!Number.isInteger(workers) || workers < 0 || workers > WORKERS_MAX)
    throw badArgument("workers", `a whole number from 0 to ${WORKERS_MAX}`, workers);
  return checkKinds(given, { onProgress: "function", signal: "signal" });
}

/**
 * Builds the graph of all nodes from scratch. Computes their lists by comparing all pairs, in this thread or in
 * workers, then everything that follows from the lists. SPEC §10.4, §10.5
 */
export async function buildGraph(
  engine: Engine,
  dim: number,
  nodes: number,
  { workers = 0, onProgress, signal }: BuildOptions,
): Promise<void> {
  const work = new Work((nodes * (nodes - 1)) / 2 + 2 * nodes * CHOICE_COST, onProgress, signal);
  work.check();
  const { bulk_begin, ranks_make, bulk_links, bulk_out, bulk_adjacency_begin, bulk_adjacency, bulk_end } =
    engine.exports;
  enough(bulk_begin());
  const mark = engine.exports.memory_mark();
  try {
    enough(ranks_make());
    if (workers === 0) await listsHere(engine, nodes, work);
    else await listsInWorkers(engine, dim, nodes, workers, work);
    enough(bulk_links());
    for (const [first, rows] of runs(nodes)) {
      bulk_out(first, rows);
      await work.done(rows * CHOICE_COST);
    }
    enough(bulk_adjacency_begin());
    for (const [first, rows] of runs(nodes)) {
      bulk_adjacency(first, rows);
      await work.done(rows * CHOICE_COST);
    }
    bulk_end();
  } finally {
    engine.exports.memory_release(mark);
  }
}

async function listsHere(engine: Engine, nodes: number, work: Work): Promise<void> {
  const { pairs_lists, bulk_lists } = engine.exports;
  const lists = engine.alloc(RUN * LIST_BYTES);
  for (const [first, rows] of runs(nodes)) {
    enough(pairs_lists(lists, first, rows));
    bulk_lists(lists, first, rows);
    await work.done(pairsOf(first, rows));
  }
}

/** Hands out runs to workers, the longest first, so that all finish at nearly the same time. */
async function listsInWorkers(
  engine: Engine,
  dim: number,
  nodes: number,
  workers: number,
  work: Work,
): Promise<void> {
  const at = engine.alloc(RUN * LIST_BYTES);
  const vectors = orderedVectors(engine, dim, nodes);
  const waiting = [...runs(nodes)];
  const handles = Array.from({ length: workers }, () => threads.start("pairs"));
  let over = false; // an answer that arrives after a failure must not touch freed memory
  const serve = async (handle: WorkerHandle): Promise<void> => {
    const ask = conversation(handle);
    await ask({ type: "load", build: engine.build, dim, nodes, vectors });
    for (let run = waiting.pop(); run !== undefined && !over; run = waiting.pop()) {
      const [first, rows] = run;
      const answer = await ask({ type: "lists", first, rows });
      if (over) return;
      if (answer.type !== "lists") throw failed(`expected lists, got ${answer.type}`);
      engine.bytes(at, rows * LIST_BYTES).set(answer.lists);
      engine.exports.bulk_lists(at, first, rows);
      await work.done(pairsOf(first, rows));
    }
  };
  try {
    await Promise.all(handles.map(serve));
  } finally {
    over = true;
    for (const handle of handles) handle.stop();
  }
}

/** Sends one request at a time and matches each with its answer. */
function conversation(handle: WorkerHandle): (request: PairsRequest) => Promise<PairsAnswer> {
  let settle: { resolve(answer: PairsAnswer): void; reject(error: Error): void } | null = null;
  handle.onMessage((message) => settle?.resolve(message as PairsAnswer));
  handle.onFailure((reason) =>
    settle?.reject(failed(`expected a working thread, got ${reason.message}`, reason)),
  );
  return async (request) => {
    const answer = await new Promise<PairsAnswer>((resolve, reject) => {
      settle = { resolve, reject };
      handle.post(request);
    });
    if (answer.type === "failed") throw errorOfRecord(answer.error, "WORKER_FAILED");
    return answer;
  };
}

/** Returns all vectors in priority order. Ranks must already be computed. */
function orderedVectors(engine: Engine, dim: number, nodes: number): Uint8Array<ArrayBuffer> {
  const vectors = new Uint8Array(nodes * dim * 2);
  engine.scope(() => {
    const piece = engine.alloc(RUN * dim * 2);
    for (const [first, rows] of runs(nodes)) {
      engine.exports.save_vectors(piece, first, rows);
      vectors.set(engine.bytes(piece, rows * dim * 2), first * dim * 2);
    }
  });
  return vectors;
}

function* runs(nodes: number): Generator<[first: number, rows: number]> {
  for (let first = 0; first < nodes; first += RUN) yield [first, Math.min(RUN, nodes - first)];
}

/** Returns how many pairs the rows from `first` on form with smaller ranks. */
function pairsOf(first: number, rows: number): number {
  return rows * first + (rows * (rows - 1)) / 2;
}

/** Counts the work done, reports it, and lets other tasks of this thread run. */
class Work {
  readonly #total: number;
  readonly #onProgress: BuildOptions["onProgress"];
  readonly #signal: AbortSignal | undefined;
  #done = 0;
  #sincePause = 0;

  constructor(total: number, onProgress: BuildOptions["onProgress"], signal: AbortSignal | undefined) {
    this.#total = total;
    this.#onProgress = onProgress;
    this.#signal = signal;
  }

  async done(comparisons: number): Promise<void> {
    this.#done += comparisons;
    this.#sincePause += comparisons;
    this.#onProgress?.(this.#done, this.#total);
    if (this.#sincePause >= SLICE) {
      this.#sincePause = 0;
      await breathe();
    }
    this.check();
  }

  check(): void {
    if (this.#signal?.aborted !== true) return;
    throw new SelfsameError(
      "ABORTED",
      `expected a graph, got a stop after ${this.#done} of ${this.#total} comparisons`,
      "",
      { cause: this.#signal.reason },
    );
  }
}

function enough(memory: number): void {
  if (memory !== 1) throw outOfMemory();
}

function failed(message: string, cause?: Error): SelfsameError {
  return new SelfsameError("WORKER_FAILED", message, "Build again, with fewer workers", { cause });
}
