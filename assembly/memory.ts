/**
 * One arena that grows and is cut back, for everything: weights, indexes, scratch.
 *
 *     ┌ static data ┬ kept by load ┬ scratch of this call ┬ free …
 *     0        __heap_base        mark                   top
 *
 * What a load keeps stays below every later mark. A call marks, allocates, works, and releases to its mark. There is no
 * garbage collector and no free list; nothing depends on history except the mark itself.
 */

const PAGE: usize = 65536;
let top: usize = __heap_base;

/**
 * How often memory could not grow. A function that needs several buffers compares this number before and after it
 * allocates them. One check then covers all buffers.
 */
export let failed_allocs: u32 = 0;

/** Returns the address of 16-byte aligned bytes, contents undefined; 0 if memory cannot grow. */
export function alloc(bytes: usize): usize {
  const at = (top + 15) & ~15;
  const end = at + bytes;
  if (end < at) return fail();
  const pages = memory.size();
  // At all 65,536 pages the product below would wrap to 0; every end fits then.
  if (pages < 65536 && end > <usize>pages * PAGE) {
    if (memory.grow(<i32>((end - <usize>pages * PAGE + PAGE - 1) / PAGE)) < 0) return fail();
  }
  top = end;
  return at;
}

/** Allocates `rows` rows, like `alloc`. The product may exceed any address; then the allocation fails. */
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
