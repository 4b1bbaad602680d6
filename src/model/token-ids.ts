import { writeU32 } from "../engine/byte-order.ts";
import type { Engine } from "../engine/engine.ts";
import { IDS_REFUSED } from "../engine/exports.generated.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { ModelManifest } from "./manifest.ts";

/** Copies token ids into the engine's memory and returns their address. */
export function writeIds(engine: Engine, ids: ArrayLike<number>): number {
  const bytes = new Uint8Array(ids.length * 4);
  for (let i = 0; i < ids.length; i++) writeU32(bytes, i * 4, ids[i]!);
  return engine.write(bytes);
}

/** Throws if a forward pass over these ids returned a code other than 0. @throws {SelfsameError} BAD_ARGUMENT, BAD_MODEL */
export function checkForwardCode(
  code: number,
  { name, limit, vocabulary }: ModelManifest,
  ids: ArrayLike<number>,
): void {
  if (code === 0) return;
  if (code === IDS_REFUSED)
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected 1 to ${limit} ids below ${vocabulary}, got ${ids.length} ids`,
    );
  throw new SelfsameError(
    "BAD_MODEL",
    `expected finite activations of ${name}, got a NaN or an infinity`,
    "The model's weights are too large for binary32; use another model",
  );
}
