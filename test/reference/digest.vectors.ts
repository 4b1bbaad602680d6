import { blake3 } from "./blake3.ts";

// The lengths of BLAKE3's own published vectors: every edge of a block, a chunk and a subtree.
const LENGTHS = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 2048, 2049, 3072, 3073, 4096, 4097,
  5120, 5121, 6144, 6145, 7168, 7169, 8192, 8193, 16384, 31744, 102400,
];

/** SPEC §4.1 */
export function generate() {
  return {
    _comment:
      "BLAKE3 (hash mode, 32 bytes) of `length` bytes, byte i being i mod 251; lengths and pattern of BLAKE3's own vectors.",
    spec: "SPEC §4.1",
    parameters: { pattern: "i mod 251", digestBytes: 32 },
    cases: LENGTHS.map((length) => {
      const input = Uint8Array.from({ length }, (_, i) => i % 251);
      return { length, digest: Buffer.from(blake3(input)).toString("hex") };
    }),
  };
}
