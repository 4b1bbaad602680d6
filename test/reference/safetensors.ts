import { getFloat16 } from "@petamoriken/float16";

export interface Tensor {
  readonly shape: readonly number[];
  readonly values: Float32Array; // row-major
}

interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

/** Every binary16, widened exactly; looked up, since one call for each weight takes 20 s. */
function widenedHalves(): Float32Array {
  const view = new DataView(new ArrayBuffer(2));
  return Float32Array.from({ length: 0x10000 }, (_, bits) => {
    view.setUint16(0, bits);
    return getFloat16(view, 0);
  });
}

/** The F32 and F16 tensors of a safetensors file, widened, by name without the prefix `bert.`. SPEC §8.1 */
export function readSafetensors(file: Uint8Array): Map<string, Tensor> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const headerLength = Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + headerLength)));
  const halves = widenedHalves();
  const tensors = new Map<string, Tensor>();
  for (const [name, entry] of Object.entries(header as Record<string, Entry>)) {
    if (entry.dtype !== "F32" && entry.dtype !== "F16") continue; // __metadata__, and the I64 position_ids
    const [begin, end] = entry.data_offsets;
    const width = entry.dtype === "F32" ? 4 : 2;
    const values = new Float32Array((end - begin) / width);
    for (let i = 0; i < values.length; i++) {
      const at = 8 + headerLength + begin + i * width;
      values[i] = width === 4 ? view.getFloat32(at, true) : halves[view.getUint16(at, true)]!;
    }
    tensors.set(name.replace(/^bert\./, ""), { shape: entry.shape, values });
  }
  return tensors;
}
