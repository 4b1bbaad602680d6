/** The limit of a scan: 16 bytes after 16 bytes are read, and nothing else is done. */

/** Memory of this many bytes, with every page touched. */
export function reserve(bytes: usize): usize {
  const held = (<usize>memory.size()) << 16;
  memory.grow(<i32>((bytes + 65535) >> 16));
  memory.fill(held, 1, bytes);
  return held;
}

/** Reads `bytes`, a multiple of 64; what is returned keeps the loads alive. */
export function read_v128(at: usize, bytes: usize): i32 {
  let a = i32x4.splat(0);
  let b = i32x4.splat(0);
  let c = i32x4.splat(0);
  let d = i32x4.splat(0);
  for (const end = at + bytes; at < end; at += 64) {
    a = v128.or(a, v128.load(at));
    b = v128.or(b, v128.load(at, 16));
    c = v128.or(c, v128.load(at, 32));
    d = v128.or(d, v128.load(at, 48));
  }
  return i32x4.extract_lane(v128.or(v128.or(a, b), v128.or(c, d)), 0);
}
