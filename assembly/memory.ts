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

/** 16-byte aligned bytes, contents undefined; 0 when memory cannot grow. */
export function alloc(bytes: usize): usize {
  const at = (top + 15) & ~15;
  const end = at + bytes;
  if (end < at) return 0;
  const pages = memory.size();
  // At all 65,536 pages the product below would wrap to 0; there every end fits.
  if (pages < 65536 && end > <usize>pages * PAGE) {
    if (memory.grow(<i32>((end - <usize>pages * PAGE + PAGE - 1) / PAGE)) < 0) return 0;
  }
  top = end;
  return at;
}

export function memory_mark(): usize {
  return top;
}

export function memory_release(mark: usize): void {
  assert(mark <= top);
  top = mark;
}
