import { describeValue } from "../errors/describe-value.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";

/** A weight of 1 as an integer. SPEC §24.1 */
export const SPARSE_ONE = 2048;
/** The largest integer weight: 512, nearly. SPEC §24.1 */
export const SPARSE_WEIGHT_MAX = 2 ** 20 - 1;
/** The most terms of a query: then no score can exceed 2⁵². SPEC §24.1 */
export const SPARSE_TERMS_MAX = 4096;

/**
 * Returns the integer of a term's weight: binary32, times 2,048, to the nearest integer, ties to even, at most 2²⁰ − 1.
 * A term whose integer is 0 is left out. SPEC §24.1
 *
 * @throws {SelfsameError} BAD_VECTOR for anything but a finite number from 0
 */
export function sparseInteger(weight: number): number {
  const scaled = Math.fround(weight) * SPARSE_ONE + 0; // a power of two: exact; −0 becomes 0
  if (typeof weight !== "number" || !(weight >= 0) || scaled === Number.POSITIVE_INFINITY) {
    throw new SelfsameError(
      "BAD_VECTOR",
      `expected the weight of a term to be a finite number from 0, got ${describeValue(weight)}`,
      "Leave out terms without weight",
    );
  }
  if (scaled >= SPARSE_WEIGHT_MAX) return SPARSE_WEIGHT_MAX;
  const below = Math.floor(scaled);
  const rest = scaled - below; // exact
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
}
