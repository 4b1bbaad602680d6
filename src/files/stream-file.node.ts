import { open } from "node:fs/promises";
import { SelfsameError } from "../errors/selfsame-error.ts";

const PIECE_BYTES = 1 << 18;

/** Yields the bytes of a file, piece by piece, and never more than `bytesMax`. Only what it had when it was opened counts. */
export async function* streamFile(path: string, bytesMax: number): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r").catch((cause) => Promise.reject(missing(path, cause)));
  try {
    const found = await file.stat();
    if (!found.isFile()) throw missing(path, new Error("no file"));
    if (found.size > bytesMax)
      throw new SelfsameError(
        "FILE_TOO_LARGE",
        `expected at most ${bytesMax} bytes in ${path}, got ${found.size}`,
        "It is another file than was expected: check the path",
      );
    for (let at = 0; at < found.size; ) {
      const piece = new Uint8Array(Math.min(PIECE_BYTES, found.size - at));
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      if (bytesRead === 0) return; // it became shorter
      at += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

function missing(path: string, cause: unknown): SelfsameError {
  return new SelfsameError(
    "FILE_MISSING",
    `expected a readable file at ${path}, got ${cause instanceof Error ? cause.message : cause}`,
    "Check the path",
    { cause },
  );
}
