import { readFileSync, statSync } from "node:fs";
import { SelfsameError } from "../errors/index.ts";

/** A key in PEM has some hundred bytes. */
const KEY_FILE_MAX = 4096;

/** Returns a key: the digits themselves, or what a file has. */
export function keyOf(flag: string, key: string): string {
  if (/^[0-9a-f]{64}$/i.test(key)) return key;
  try {
    if (statSync(key).size <= KEY_FILE_MAX) return readFileSync(key, "utf8");
  } catch (cause) {
    throw new SelfsameError("FILE_MISSING", `expected ${flag} to name a file with a key, got ${key}`, "", {
      cause,
    });
  }
  throw new SelfsameError(
    "BAD_ARGUMENT",
    `expected ${flag} to name a file with a key, got a larger one: ${key}`,
  );
}
