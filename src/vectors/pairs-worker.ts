// The thread that compares a share of all pairs. It receives the vectors once, then computes lists run after run. Node
// and browsers use the same file.

import type { Engine } from "../engine/engine.ts";
import { loadEngine } from "../engine/load.ts";
import { threads } from "../engine/threads.ts";
import { errorRecord } from "../errors/error-record.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { LIST_BYTES, type PairsAnswer, type PairsRequest } from "./pairs-protocol.ts";

const BLOCK_SLOTS = 1024;
let engine: Engine;

async function answer(request: PairsRequest): Promise<PairsAnswer> {
  try {
    if (request.type === "load") {
      ({ engine } = await loadEngine({ build: request.build }));
      takeVectors(request.dim, request.nodes, request.vectors);
      return { type: "loaded" };
    }
    const { first, rows } = request;
    return engine.scope(() => {
      const at = engine.alloc(rows * LIST_BYTES);
      check(engine.exports.pairs_lists(at, first, rows) === 1);
      return { type: "lists", first, rows, lists: engine.read(at, rows * LIST_BYTES) };
    });
  } catch (error) {
    return { type: "failed", error: errorRecord(error) };
  }
}

function takeVectors(dim: number, nodes: number, vectors: Uint8Array): void {
  const { vectors_init, load_begin, ranks_identity, vector_of } = engine.exports;
  check(vectors_init(dim, 0) === 0 && load_begin(nodes, 0, 0) === 0);
  for (let first = 0; first < nodes; first += BLOCK_SLOTS) {
    const part = vectors.subarray(first * dim * 2, Math.min(first + BLOCK_SLOTS, nodes) * dim * 2);
    engine.bytes(vector_of(first), part.length).set(part);
  }
  check(ranks_identity(nodes) === 1);
}

function check(enough: boolean): void {
  if (!enough) throw new SelfsameError("OUT_OF_MEMORY", "expected more memory for a worker, got none");
}

threads.serve((request) => answer(request as PairsRequest));
