import { IS_LITTLE_ENDIAN, vectorOf } from "../engine/byte-order.ts";
import type { Engine } from "../engine/engine.ts";
import { NON_FINITE } from "../engine/exports.generated.ts";
import { describeValue } from "../errors/describe-value.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { checkDim } from "./vector.ts";

/**
 * Returns the i16 vector of numbers that another model computed: rounded to binary32, scaled to unit length, quantised.
 * Zeros give the zero vector, whose similarity to everything is 0. SPEC §9.6
 *
 * @param dim the dimension of the library's vectors: a multiple of 8 up to 4,096
 * @throws {SelfsameError} BAD_VECTOR for another length, a number that is not finite, and numbers so large or so small
 * that binary32 cannot hold their squares
 */
export function givenVector(
  engine: Engine,
  values: Float32Array | readonly number[],
  dim: number,
): Int16Array {
  checkDim(dim);
  const numbers = binary32(values, dim);
  const { vector, code } = engine.scope(() => {
    const at = engine.write(littleEndian(numbers));
    const out = engine.alloc(2 * dim);
    return { code: engine.exports.vector_of_f32(out, at, dim), vector: vectorOf(engine.bytes(out, 2 * dim)) };
  });
  if (code === 0) return vector;
  throw code === NON_FINITE ? notFinite(numbers) : tooSmall(numbers);
}

function binary32(values: unknown, dim: number): Float32Array {
  const isList = values instanceof Float32Array || Array.isArray(values);
  if (!isList || values.length !== dim) {
    const got = isList ? `${values.length} numbers` : describeValue(values);
    throw badVector(
      `expected a vector of ${dim} numbers, got ${got}`,
      "Give vectors of the library's dimension",
    );
  }
  if (values instanceof Float32Array) return values;
  const wrong = values.findIndex((value) => typeof value !== "number");
  if (wrong >= 0) {
    const got = `${describeValue(values[wrong])} at ${wrong}`;
    throw badVector(`expected a vector of numbers, got ${got}`, "Give plain numbers");
  }
  return Float32Array.from(values as number[]);
}

function littleEndian(numbers: Float32Array): Uint8Array {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  if (IS_LITTLE_ENDIAN) return bytes;
  const copy = new Uint8Array(numbers.byteLength);
  const view = new DataView(copy.buffer);
  for (const [i, number] of numbers.entries()) view.setFloat32(4 * i, number, true);
  return copy;
}

function notFinite(numbers: Float32Array): SelfsameError {
  const at = numbers.findIndex((value) => !Number.isFinite(value));
  const got = at >= 0 ? `${numbers[at]} at ${at}` : "squares whose sum binary32 cannot hold";
  return badVector(`expected a vector of finite numbers, got ${got}`, "Compute the vector again");
}

function tooSmall(numbers: Float32Array): SelfsameError {
  const largest = numbers.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  return badVector(
    `expected a vector whose squares binary32 can add up, got numbers of at most ${largest}`,
    "Multiply the vector by a power of two: its direction stays the same",
  );
}

function badVector(reason: string, hint: string): SelfsameError {
  return new SelfsameError("BAD_VECTOR", reason, hint);
}
