/**
 * One arena that grows and is cut back, for everything: weights, indexes, scratch.
 *
 *     ┌ static data ┬ kept by load ┬ scratch of this call ┬ free …
 *     0        __heap_base        mark                   top
 *
 * What a load keeps stays below every later mark; a call marks, allocates, works, and releases to its mark.
 * No collector, no free list, nothing that depends on history but the mark itself.
 */

const PAGE: usize = 65536;
let top: usize = __heap_base;

/**
 * How often memory could not grow. A function that needs several buffers compares this number before and after it
 * allocates them. It then needs one check, which no buffer can be missing from.
 */
export let failed_allocs: u32 = 0;

/** 16-byte aligned bytes, contents undefined; 0 if memory cannot grow. */
export function alloc(bytes: usize): usize {
  const at = (top + 15) & ~15;
  const end = at + bytes;
  if (end < at) return fail();
  const pages = memory.size();
  // At all 65,536 pages the product below would wrap to 0; there every end fits.
  if (pages < 65536 && end > <usize>pages * PAGE) {
    if (memory.grow(<i32>((end - <usize>pages * PAGE + PAGE - 1) / PAGE)) < 0) return fail();
  }
  top = end;
  return at;
}

/** Room for `rows` rows, as `alloc`. The product may be larger than any address; then there is no room. */
export function alloc_rows(rows: usize, row_bytes: usize): usize {
  const bytes = <u64>rows * <u64>row_bytes;
  return bytes > <u64>u32.MAX_VALUE ? fail() : alloc(<usize>bytes);
}

function fail(): usize {
  failed_allocs++;
  return 0;
}

export function memory_mark(): usize {
  return top;
}

export function memory_release(mark: usize): void {
  assert(mark <= top);
  top = mark;
}
