import { blake3 } from "@noble/hashes/blake3.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { nearEven } from "./arith.ts";
import { NonFinite, sum4 } from "./kernels.ts";
import { forward, type Model } from "./model.ts";

const f = Math.fround;

/** x (n, H) -> (H): the mean over the tokens, ascending, each channel alone. SPEC §9.1 */
export function pool(x: Float32Array, hidden: number): Float32Array {
  const n = x.length / hidden;
  const pooled = new Float32Array(hidden);
  for (let t = 0; t < n; t++) {
    for (let c = 0; c < hidden; c++) pooled[c] = pooled[c]! + x[t * hidden + c]!;
  }
  return pooled.map((sum) => f(sum / n));
}

/** x (H) -> (H), of length 1, or 0 where x is. SPEC §9.2 */
export function unit(x: Float32Array): Float32Array {
  const norm = f(Math.sqrt(sum4(x.map((value) => f(value * value)))));
  if (!Number.isFinite(norm)) throw new NonFinite(`expected a finite norm, got ${norm}`);
  return norm === 0 ? new Float32Array(x.length) : x.map((value) => f(value / norm));
}

/** u (H) -> integers of ±32767. SPEC §9.3 */
export function quantiseVector(u: Float32Array): Int16Array {
  return Int16Array.from(u, (value) => Math.max(-32767, Math.min(32767, nearEven(f(value * 32767)))));
}

/** The last hidden states of a text -> its vector. */
export function vectorOf(states: Float32Array, hidden: number): Int16Array {
  return quantiseVector(unit(pool(states, hidden)));
}

/** ids (n) -> vector (H). SPEC §9.4, after the tokens */
export function embedIds(model: Model, ids: ArrayLike<number>): Int16Array {
  return vectorOf(forward(model, ids).at(-1)!, model.hidden);
}

/** BLAKE3 of the elements' little-endian bytes: bit patterns of binary32 (SPEC §8.5) or 16-bit integers (SPEC §9.3). */
export function digestOf(values: Float32Array | Int16Array): string {
  return bytesToHex(blake3(littleEndian(values)));
}

/** The same bytes whatever the host's own order is. */
export function littleEndian(values: Float32Array | Int16Array): Uint8Array {
  const bytes = new Uint8Array(values.byteLength);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) {
    if (values instanceof Float32Array) view.setFloat32(i * 4, values[i]!, true);
    else view.setInt16(i * 2, values[i]!, true);
  }
  return bytes;
}
