/**
 * BLAKE3, hash mode, 32 bytes out: the digest of everything canonical. Integers only. SPEC §4.1
 *
 * The input is cut into chunks of 1,024 bytes. Each becomes a chaining value of 32 bytes, and a binary tree of parents
 * joins these. `compress` is written once for one word (u32) and for four at a time (v128), so that builds with SIMD
 * process four chunks per pass with the same source code (measured: 2.6 times the speed of one by one).
 */

const BLOCK: usize = 64;
const CHUNK: usize = 1024;
const CV: usize = 32; // bytes of a chaining value
const LANES: usize = 4; // chunks in one pass of the SIMD builds

const CHUNK_START: u32 = 1;
const CHUNK_END: u32 = 2;
const PARENT: u32 = 4;
const ROOT: u32 = 8;

// biome-ignore format: one row per four words
const IV: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

/** The message word for each position: row r is the permutation of SPEC §4.1 applied r times to 0 … 15. */
// biome-ignore format: one row per round
const SCHEDULE: usize = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8,
  3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1,
  10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6,
  12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4,
  9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7,
  11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13,
]);
const SCHEDULE_END: usize = SCHEDULE + 7 * 16;

// Scratch. Fewer than 2^22 chunks fit in a wasm memory, so at most 22 chaining values wait while one more is computed.
const STACK: usize = memory.data(23 * 32, 16);
const LAST_BLOCK: usize = memory.data(64, 16); // the last block of a chunk, padded with zeros
const CHUNK_CV: usize = memory.data(32, 16);
const LANE_CVS: usize = memory.data(4 * 32, 16); // (word, lane)
const LANE_BLOCKS: usize = memory.data(4 * 64, 16); // (word, lane)

/** out_ptr (32 bytes) = BLAKE3 of the len bytes at in_ptr. Any length; out may overlap in. */
export function blake3(out_ptr: usize, in_ptr: usize, len: usize): void {
  const last: usize = len == 0 ? 0 : (len - 1) / CHUNK; // index of the last chunk, the only one that may be short
  if (last == 0) {
    compress_chunk(out_ptr, in_ptr, len, 0, ROOT);
    return;
  }
  // Chunks before the last one. A subtree is closed as soon as it is full: more input follows, so it is not the root.
  let top = STACK;
  let index: usize = 0;
  if (ASC_FEATURE_SIMD) {
    for (; index + LANES <= last; index += LANES) {
      compress_4_chunks(in_ptr + index * CHUNK, <u32>index);
      for (let lane: usize = 0; lane < LANES; lane++) {
        read_lane(top, lane);
        top = close_full(top + CV, index + lane + 1);
      }
    }
  }
  for (; index < last; index++) {
    compress_chunk(top, in_ptr + index * CHUNK, CHUNK, <u32>index, 0);
    top = close_full(top + CV, index + 1);
  }
  // The last chunk closes the open subtrees, from the right; the last join is the root.
  compress_chunk(top, in_ptr + last * CHUNK, len - last * CHUNK, <u32>last, 0);
  for (; top > STACK + CV; top -= CV) join(top - CV, top - CV, 0);
  join(out_ptr, STACK, ROOT);
}

/**
 * out_ptr (4, 32 bytes) = BLAKE3 of four inputs of len bytes each, `stride` bytes apart. Inputs that fit one chunk and
 * consist of whole quarters of a block, as vectors do, share the lanes.
 */
export function blake3_4(out_ptr: usize, in_ptr: usize, stride: usize, len: usize): void {
  if (ASC_FEATURE_SIMD) {
    if (len > 0 && len <= CHUNK && len % 16 == 0) {
      start_lanes();
      for (let at: usize = 0; at < len; at += BLOCK) {
        const size = min(BLOCK, len - at);
        memory.fill(LANE_BLOCKS + size * 4, 0, (BLOCK - size) * 4);
        for (let byte: usize = 0; byte < size; byte += 16) {
          transpose(LANE_BLOCKS + byte * 4, in_ptr + at + byte, stride);
        }
        const flags = (at == 0 ? CHUNK_START : 0) | (at + size == len ? CHUNK_END | ROOT : 0);
        compress<v128>(LANE_CVS, LANE_CVS, LANE_BLOCKS, i32x4.splat(0), <u32>size, flags);
      }
      for (let lane: usize = 0; lane < LANES; lane++) read_lane(out_ptr + lane * CV, lane);
      return;
    }
  }
  for (let i: usize = 0; i < 4; i++) blake3(out_ptr + i * CV, in_ptr + i * stride, len);
}

/** After `chunks` chunks, joins as many pairs at the top of the stack as `chunks` has trailing zero bits. */
function close_full(top: usize, chunks: usize): usize {
  for (; (chunks & 1) == 0; chunks >>= 1) {
    top -= CV;
    join(top - CV, top - CV, 0);
  }
  return top;
}

/** out (32 bytes) = the parent of the two chaining values at pair (64 bytes). out may be pair. */
function join(out: usize, pair: usize, flags: u32): void {
  compress<u32>(out, IV, pair, 0, <u32>BLOCK, PARENT | flags);
}

/** out (32 bytes) = the chaining value of one chunk of len ≤ 1,024 bytes; `flags` go on its last block. */
function compress_chunk(out: usize, chunk: usize, len: usize, index: u32, flags: u32): void {
  let cv = IV;
  let start = CHUNK_START;
  for (; len > BLOCK; len -= BLOCK, chunk += BLOCK) {
    compress<u32>(CHUNK_CV, cv, chunk, index, <u32>BLOCK, start);
    cv = CHUNK_CV;
    start = 0;
  }
  memory.fill(LAST_BLOCK, 0, BLOCK);
  memory.copy(LAST_BLOCK, chunk, len);
  compress<u32>(out, cv, LAST_BLOCK, index, <u32>len, start | CHUNK_END | flags);
}

/** LANE_CVS (word, lane) = the chaining values of four consecutive whole chunks; index is that of the first. */
function compress_4_chunks(chunks: usize, index: u32): void {
  start_lanes();
  const counters = i32x4.add(i32x4.splat(index), i32x4(0, 1, 2, 3));
  for (let at: usize = 0; at < CHUNK; at += BLOCK) {
    for (let word: usize = 0; word < 16; word += 4)
      transpose(LANE_BLOCKS + word * 16, chunks + at + word * 4, CHUNK);
    const flags = (at == 0 ? CHUNK_START : 0) | (at == CHUNK - BLOCK ? CHUNK_END : 0);
    compress<v128>(LANE_CVS, LANE_CVS, LANE_BLOCKS, counters, <u32>BLOCK, flags);
  }
}

function start_lanes(): void {
  for (let word: usize = 0; word < 8; word++) {
    v128.store(LANE_CVS + word * 16, v128.load32_splat(IV + word * 4));
  }
}

/** out (32 bytes) = the chaining value of one lane. */
function read_lane(out: usize, lane: usize): void {
  for (let word: usize = 0; word < 8; word++) {
    store<u32>(out + word * 4, load<u32>(LANE_CVS + word * 16 + lane * 4));
  }
}

/** out (4 words, 4 lanes) = four words of each of four inputs, `stride` bytes apart. */
function transpose(out: usize, inputs: usize, stride: usize): void {
  const a = v128.load(inputs);
  const b = v128.load(inputs + stride);
  const c = v128.load(inputs + 2 * stride);
  const d = v128.load(inputs + 3 * stride);
  const ab_low = v128.shuffle<u32>(a, b, 0, 4, 1, 5);
  const ab_high = v128.shuffle<u32>(a, b, 2, 6, 3, 7);
  const cd_low = v128.shuffle<u32>(c, d, 0, 4, 1, 5);
  const cd_high = v128.shuffle<u32>(c, d, 2, 6, 3, 7);
  v128.store(out, v128.shuffle<u64>(ab_low, cd_low, 0, 2));
  v128.store(out + 16, v128.shuffle<u64>(ab_low, cd_low, 1, 3));
  v128.store(out + 32, v128.shuffle<u64>(ab_high, cd_high, 0, 2));
  v128.store(out + 48, v128.shuffle<u64>(ab_high, cd_high, 1, 3));
}

/**
 * out (8 words) = the compression of block m (16 words) under cv (8 words). T is u32, or v128 for the same computation
 * on four lanes. All of m and cv is read before out is written, so out may be either.
 */
function compress<T>(out: usize, cv: usize, m: usize, counter: T, block_len: u32, flags: u32): void {
  const size: usize = sizeof<T>();
  let v0 = load<T>(cv);
  let v1 = load<T>(cv + size);
  let v2 = load<T>(cv + 2 * size);
  let v3 = load<T>(cv + 3 * size);
  let v4 = load<T>(cv + 4 * size);
  let v5 = load<T>(cv + 5 * size);
  let v6 = load<T>(cv + 6 * size);
  let v7 = load<T>(cv + 7 * size);
  let v8 = word<T>(load<u32>(IV));
  let v9 = word<T>(load<u32>(IV + 4));
  let v10 = word<T>(load<u32>(IV + 8));
  let v11 = word<T>(load<u32>(IV + 12));
  let v12 = counter;
  let v13 = word<T>(0); // the counter's high half: fewer than 2^22 chunks fit in a memory
  let v14 = word<T>(block_len);
  let v15 = word<T>(flags);
  for (let s = SCHEDULE; s < SCHEDULE_END; s += 16) {
    // columns
    v0 = sum<T>(sum<T>(v0, v4), message<T>(m, s));
    v12 = xor_rotr<T>(v12, v0, 16);
    v8 = sum<T>(v8, v12);
    v4 = xor_rotr<T>(v4, v8, 12);
    v0 = sum<T>(sum<T>(v0, v4), message<T>(m, s + 1));
    v12 = xor_rotr<T>(v12, v0, 8);
    v8 = sum<T>(v8, v12);
    v4 = xor_rotr<T>(v4, v8, 7);
    v1 = sum<T>(sum<T>(v1, v5), message<T>(m, s + 2));
    v13 = xor_rotr<T>(v13, v1, 16);
    v9 = sum<T>(v9, v13);
    v5 = xor_rotr<T>(v5, v9, 12);
    v1 = sum<T>(sum<T>(v1, v5), message<T>(m, s + 3));
    v13 = xor_rotr<T>(v13, v1, 8);
    v9 = sum<T>(v9, v13);
    v5 = xor_rotr<T>(v5, v9, 7);
    v2 = sum<T>(sum<T>(v2, v6), message<T>(m, s + 4));
    v14 = xor_rotr<T>(v14, v2, 16);
    v10 = sum<T>(v10, v14);
    v6 = xor_rotr<T>(v6, v10, 12);
    v2 = sum<T>(sum<T>(v2, v6), message<T>(m, s + 5));
    v14 = xor_rotr<T>(v14, v2, 8);
    v10 = sum<T>(v10, v14);
    v6 = xor_rotr<T>(v6, v10, 7);
    v3 = sum<T>(sum<T>(v3, v7), message<T>(m, s + 6));
    v15 = xor_rotr<T>(v15, v3, 16);
    v11 = sum<T>(v11, v15);
    v7 = xor_rotr<T>(v7, v11, 12);
    v3 = sum<T>(sum<T>(v3, v7), message<T>(m, s + 7));
    v15 = xor_rotr<T>(v15, v3, 8);
    v11 = sum<T>(v11, v15);
    v7 = xor_rotr<T>(v7, v11, 7);
    // diagonals
    v0 = sum<T>(sum<T>(v0, v5), message<T>(m, s + 8));
    v15 = xor_rotr<T>(v15, v0, 16);
    v10 = sum<T>(v10, v15);
    v5 = xor_rotr<T>(v5, v10, 12);
    v0 = sum<T>(sum<T>(v0, v5), message<T>(m, s + 9));
    v15 = xor_rotr<T>(v15, v0, 8);
    v10 = sum<T>(v10, v15);
    v5 = xor_rotr<T>(v5, v10, 7);
    v1 = sum<T>(sum<T>(v1, v6), message<T>(m, s + 10));
    v12 = xor_rotr<T>(v12, v1, 16);
    v11 = sum<T>(v11, v12);
    v6 = xor_rotr<T>(v6, v11, 12);
    v1 = sum<T>(sum<T>(v1, v6), message<T>(m, s + 11));
    v12 = xor_rotr<T>(v12, v1, 8);
    v11 = sum<T>(v11, v12);
    v6 = xor_rotr<T>(v6, v11, 7);
    v2 = sum<T>(sum<T>(v2, v7), message<T>(m, s + 12));
    v13 = xor_rotr<T>(v13, v2, 16);
    v8 = sum<T>(v8, v13);
    v7 = xor_rotr<T>(v7, v8, 12);
    v2 = sum<T>(sum<T>(v2, v7), message<T>(m, s + 13));
    v13 = xor_rotr<T>(v13, v2, 8);
    v8 = sum<T>(v8, v13);
    v7 = xor_rotr<T>(v7, v8, 7);
    v3 = sum<T>(sum<T>(v3, v4), message<T>(m, s + 14));
    v14 = xor_rotr<T>(v14, v3, 16);
    v9 = sum<T>(v9, v14);
    v4 = xor_rotr<T>(v4, v9, 12);
    v3 = sum<T>(sum<T>(v3, v4), message<T>(m, s + 15));
    v14 = xor_rotr<T>(v14, v3, 8);
    v9 = sum<T>(v9, v14);
    v4 = xor_rotr<T>(v4, v9, 7);
  }
  store<T>(out, xor<T>(v0, v8));
  store<T>(out + size, xor<T>(v1, v9));
  store<T>(out + 2 * size, xor<T>(v2, v10));
  store<T>(out + 3 * size, xor<T>(v3, v11));
  store<T>(out + 4 * size, xor<T>(v4, v12));
  store<T>(out + 5 * size, xor<T>(v5, v13));
  store<T>(out + 6 * size, xor<T>(v6, v14));
  store<T>(out + 7 * size, xor<T>(v7, v15));
}

function word<T>(x: u32): T {
  if (isVector<T>()) return <T>i32x4.splat(<i32>x);
  else return <T>x;
}

/** Returns the message word that the schedule names at s. */
function message<T>(m: usize, s: usize): T {
  return load<T>(m + <usize>load<u8>(s) * sizeof<T>());
}

function sum<T>(a: T, b: T): T {
  if (isVector<T>()) return <T>i32x4.add(<v128>a, <v128>b);
  else return a + b;
}

function xor<T>(a: T, b: T): T {
  if (isVector<T>()) return <T>v128.xor(<v128>a, <v128>b);
  else return a ^ b;
}

/** Returns (a ⊕ b) rotated right by `bits`, a constant at every call. Whole bytes move in one shuffle. */
function xor_rotr<T>(a: T, b: T, bits: i32): T {
  if (isVector<T>()) {
    const x = v128.xor(<v128>a, <v128>b);
    if (bits == 16) return <T>v128.shuffle<u8>(x, x, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    if (bits == 8) return <T>v128.shuffle<u8>(x, x, 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12);
    return <T>v128.or(i32x4.shr_u(x, bits), i32x4.shl(x, 32 - bits));
  } else return rotr<T>(a ^ b, <T>bits);
}
