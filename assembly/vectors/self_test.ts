import { begin, mix, mix_words, next, result } from "../arith/self_test_words";
import { NO_MEMORY } from "../codes";
import { blake3 } from "../hash/blake3";
import { alloc, failed_allocs, memory_mark, memory_release } from "../memory";
import { ranks_make } from "./ranks";
import { canonical_bytes, save_canonical } from "./save";
import {
  vectors_add,
  vectors_drop,
  vectors_exact,
  vectors_held,
  vectors_hits,
  vectors_id_input,
  vectors_init,
  vectors_remove,
  vectors_search,
  vectors_vector_input,
} from "./vector_index";

const SEED: u32 = 0x2545f494;
const DIM: i32 = 24;
const STEPS: i32 = 240;
const SPAN: u32 = 6000; // 24 · 6000² is under 2^31

/** One step in four takes one of 64 vectors, so that vectors repeat and dots tie. */
const COARSE: u32 = 3;

/**
 * Runs 240 additions, updates and removals among 256 ids. Three times on the way, it mixes in the digest of the graph
 * and the results of searches. The instance must hold no index, and holds none afterwards. The digest is the same for
 * every build and host: 9e7b790f. SPEC §10.9
 */
export function self_test_graph(): i32 {
  assert(!vectors_held());
  const failed = failed_allocs;
  if (vectors_init(DIM, true) != 0) {
    vectors_drop();
    return NO_MEMORY;
  }
  begin(SEED);
  for (let step = 0; step < STEPS; step++) {
    const word = next();
    put_id(word & 255);
    const kind = (word >> 8) & 3;
    if (kind == 0) {
      mix(vectors_remove());
    } else {
      if (kind == COARSE) put_coarse(next());
      else put_fine();
      mix(vectors_add());
    }
    if (step % 80 == 79) {
      mix_digest();
      mix_searches();
    }
  }
  vectors_drop();
  return failed_allocs == failed ? result() : NO_MEMORY;
}

/** Writes number · 9e3779b1, number, 0, 0: ids whose order differs from that of their numbers. */
function put_id(number: u32): void {
  const id = vectors_id_input();
  store<u32>(id, number * 0x9e3779b1);
  store<u32>(id, number, 4);
  store<u64>(id, 0, 8);
}

function put_fine(): void {
  const vector = vectors_vector_input();
  for (let i = 0; i < DIM; i++) {
    store<i16>(vector + (i << 1), <i16>(<i32>(next() % (2 * SPAN + 1)) - <i32>SPAN));
  }
}

/** Writes a vector whose first six elements are 0 or 4096 by the bits of `word`; the others are 0. */
function put_coarse(word: u32): void {
  const vector = vectors_vector_input();
  for (let i = 0; i < DIM; i++) {
    store<i16>(vector + (i << 1), i < 6 ? <i16>(((word >> i) & 1) << 12) : 0);
  }
}

function mix_digest(): void {
  const mark = memory_mark();
  const at = ranks_make() ? alloc(canonical_bytes()) : 0;
  if (at != 0 && save_canonical(at)) {
    blake3(at, at, canonical_bytes());
    mix_words(at, 8);
  }
  memory_release(mark);
}

function mix_searches(): void {
  put_fine();
  mix_hits(vectors_search(1, 1));
  put_fine();
  mix_hits(vectors_search(10, 20));
  put_coarse(next());
  mix_hits(vectors_search(10, 50));
  put_fine();
  mix_hits(vectors_exact(10));
}

/** Mixes the count, then the four words of each id and its dot. */
function mix_hits(count: i32): void {
  mix(count);
  for (let i = 0; i < count; i++) mix_words(vectors_hits() + i * 24, 5);
}
