/** SHA-256 in parts against node:crypto. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Sha256 } from "#dist/engine/sha256.js";

const long = import.meta.env.MODE === "long";
const expected = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("SHA-256", () => {
  it("equals node:crypto for every length around two blocks", () => {
    for (let length = 0; length <= 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) & 255);
      expect(new Sha256().update(bytes).hex(), `${length} bytes`).toBe(expected(bytes));
    }
  });

  it("does not depend on how the bytes are cut into parts", () => {
    const parts = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 });
    fc.assert(
      fc.property(parts, (given) => {
        const hash = new Sha256();
        for (const part of given) hash.update(part);
        expect(hash.hex()).toBe(expected(Buffer.concat(given)));
      }),
    );
  });

  it("reads a part of a larger buffer, and no byte beside it", () => {
    const whole = Uint8Array.from({ length: 1000 }, (_, i) => i & 255);
    const part = whole.subarray(3, 777);
    expect(new Sha256().update(part).hex()).toBe(expected(part.slice()));
  });

  it.runIf(long)("counts more than 2^32 bits", () => {
    const part = new Uint8Array(1 << 24);
    const [hash, oracle] = [new Sha256(), createHash("sha256")];
    for (let i = 0; i < 33; i++) {
      hash.update(part);
      oracle.update(part);
    }
    expect(hash.hex()).toBe(oracle.digest("hex"));
  });
});
