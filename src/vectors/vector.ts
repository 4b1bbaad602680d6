import { ID_BYTES } from "../engine/digest.ts";
import { describeValue } from "../errors/describe-value.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";

export const DIM_MAX = 4096;

/** The squared length of a unit vector times 32767: the divisor of dot products. SPEC §10.1 */
export const SCALE = 32767 * 32767;

export function checkDim(dim: number): void {
  if (Number.isInteger(dim) && dim >= 8 && dim <= DIM_MAX && dim % 8 === 0) return;
  throw new SelfsameError(
    "BAD_ARGUMENT",
    `expected a dimension that is a multiple of 8 from 8 to ${DIM_MAX}, got ${describeValue(dim)}`,
    "Pad vectors with zeros: dot products stay the same",
  );
}

export function checkId(id: Uint8Array): void {
  if (id instanceof Uint8Array && id.length === ID_BYTES) return;
  const got = id instanceof Uint8Array ? `${id.length} bytes` : describeValue(id);
  throw new SelfsameError(
    "BAD_ARGUMENT",
    `expected an id of ${ID_BYTES} bytes in a Uint8Array, got ${got}`,
    "Take the first 16 bytes of a digest of your key",
  );
}

export function checkVector(vector: Int16Array, dim: number): void {
  if (vector instanceof Int16Array && vector.length === dim) return;
  const got = vector instanceof Int16Array ? `${vector.length} numbers` : describeValue(vector);
  throw new SelfsameError(
    "BAD_VECTOR",
    `expected an Int16Array of ${dim} numbers, got ${got}`,
    "Quantise with the model that the index was made for",
  );
}

/** Reports what the engine refused: see SPEC §10.1. */
export function notAdmitted(): SelfsameError {
  return new SelfsameError(
    "BAD_VECTOR",
    "expected a vector without -32768 and with a squared norm of at most 2147483647, got one outside these limits",
    "Scale it to unit length times 32767",
  );
}

export function checkCount(name: string, value: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= 0x7fff_ffff) return;
  throw new SelfsameError(
    "BAD_ARGUMENT",
    `expected ${name} to be an integer from 1 to 2147483647, got ${describeValue(value)}`,
  );
}

/** Concatenates ids, as the engine reads them. */
export function packIds(candidates: readonly Uint8Array[] | Uint8Array): Uint8Array {
  if (candidates instanceof Uint8Array) {
    if (candidates.length % ID_BYTES === 0) return candidates;
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected candidates of ${ID_BYTES} bytes each, got ${candidates.length} bytes`,
    );
  }
  if (!Array.isArray(candidates)) {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected candidates in an array, got ${describeValue(candidates)}`,
      "Spread other collections: [...ids]",
    );
  }
  const ids = new Uint8Array(candidates.length * ID_BYTES);
  for (const [i, id] of candidates.entries()) {
    checkId(id);
    ids.set(id, i * ID_BYTES);
  }
  return ids;
}

export function outOfMemory(): SelfsameError {
  return new SelfsameError(
    "OUT_OF_MEMORY",
    "expected more memory for the engine, got none",
    "Split the set over several indexes",
  );
}
