/** Select: which entries of a list become neighbours, spread around x rather than clustered on one side. SPEC §10.4 */
import { dot4_i16 } from "./dot";
import { M, MMAX_0 } from "./graph";
import { vector_bytes, vector_of } from "./nodes";

const KEPT_SLOTS: usize = memory.data(32 * 4, 16);
// Addresses of kept vectors. The last one is written four times, so that a group of four is always complete; computing
// a dot product twice changes no result.
const KEPT_VECTORS: usize = memory.data((32 + 4) * 4, 16);
const REJECTED: usize = memory.data(32 * 4, 16);
const PAIR_DOTS: usize = memory.data(16, 16);

let kept: u32 = 0;
let rejected: u32 = 0;
let limit: u32 = 0;

export function select_begin(m: u32): void {
  assert(m <= MMAX_0 && M <= MMAX_0);
  kept = rejected = 0;
  limit = m;
}

/** Returns whether m are kept, which ends the selection. */
export function select_full(): bool {
  return kept == limit;
}

/** Returns how many are kept so far. */
export function select_kept(): u32 {
  return kept;
}

/** Offers c, whose dot with x is `dot`, in the order around x; returns whether it is kept. */
export function select_offer(c: u32, dot: i32): bool {
  const vector = vector_of(c);
  for (let i: u32 = 0; i < kept; i += 4) {
    const group = KEPT_VECTORS + ((<usize>i) << 2);
    dot4_i16(
      PAIR_DOTS,
      vector,
      load<u32>(group),
      load<u32>(group, 4),
      load<u32>(group, 8),
      load<u32>(group, 12),
      vector_bytes,
    );
    if (exceeds(dot)) {
      select_reject(c);
      return false;
    }
  }
  select_keep(c);
  return true;
}

/** Keeps c, when it is already known that Select keeps it. */
export function select_keep(c: u32): void {
  const vector = <u32>vector_of(c);
  const at = KEPT_VECTORS + ((<usize>kept) << 2);
  store<u32>(at, vector);
  store<u32>(at, vector, 4);
  store<u32>(at, vector, 8);
  store<u32>(at, vector, 12);
  store<u32>(KEPT_SLOTS + ((<usize>kept) << 2), c);
  kept++;
}

/** Rejects c, when it is already known that Select rejects it. */
export function select_reject(c: u32): void {
  if (rejected == limit) return;
  store<u32>(REJECTED + ((<usize>rejected) << 2), c);
  rejected++;
}

/** Returns whether one of the four PAIR_DOTS is above `dot`. */
function exceeds(dot: i32): bool {
  if (ASC_FEATURE_SIMD) {
    return v128.any_true(i32x4.gt_s(v128.load(PAIR_DOTS), i32x4.splat(dot)));
  } else {
    return (
      load<i32>(PAIR_DOTS) > dot ||
      load<i32>(PAIR_DOTS, 4) > dot ||
      load<i32>(PAIR_DOTS, 8) > dot ||
      load<i32>(PAIR_DOTS, 12) > dot
    );
  }
}

/** Copies the selection to `to`: the kept, then the first rejected up to m; returns the count. */
export function select_end(to: usize): u32 {
  const fill = min(rejected, limit - kept);
  memory.copy(to, KEPT_SLOTS, (<usize>kept) << 2);
  memory.copy(to + ((<usize>kept) << 2), REJECTED, (<usize>fill) << 2);
  return kept + fill;
}
