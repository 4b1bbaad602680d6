import { SelfsameError } from "../errors/selfsame-error.ts";

/** Returns the error for bytes that are not a whole, valid pack. SPEC §27.5 */
export function packDamaged(expected: string, got: string): SelfsameError {
  return new SelfsameError(
    "PACK_DAMAGED",
    `expected ${expected}, got ${got}`,
    "Nothing was imported. Copy or export the pack again",
  );
}
