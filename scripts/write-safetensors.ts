import { utf8ToBytes } from "@noble/hashes/utils.js";
import { setFloat16 } from "@petamoriken/float16";

/** A tensor to be written, with values that its type holds exactly. */
export interface DrawnTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/**
 * Returns a safetensors file of F32 or F16 tensors (SPEC §8.1). The header is padded with spaces so that the data starts at
 * a multiple of 8.
 */
export function safetensors(tensors: readonly DrawnTensor[], dtype: "F32" | "F16" = "F32"): Uint8Array {
  const width = dtype === "F32" ? 4 : 2;
  const header: Record<string, unknown> = { __metadata__: { format: "pt" } };
  let size = 0;
  for (const { name, shape, values } of tensors) {
    header[name] = { dtype, shape, data_offsets: [size, size + values.length * width] };
    size += values.length * width;
  }
  const plain = JSON.stringify(header);
  const json = utf8ToBytes(plain.padEnd(Math.ceil(plain.length / 8) * 8));
  const file = new Uint8Array(8 + json.length + size);
  const view = new DataView(file.buffer);
  view.setBigUint64(0, BigInt(json.length), true);
  file.set(json, 8);
  let at = 8 + json.length;
  for (const { values } of tensors) {
    for (const value of values) {
      if (dtype === "F32") view.setFloat32(at, value, true);
      else setFloat16(view, at, value, true);
      at += width;
    }
  }
  return file;
}
