import { chunkParameters } from "../chunks/chunk-parameters.ts";
import { loadEngine } from "../engine/load.ts";
import { DEFAULT_NAMESPACE } from "../identity/ids.ts";
import { DEFAULT_MODEL, type ModelOptions, readManifest } from "../model/load.ts";
import { canonDigest, canonParts } from "./canon.ts";

/**
 * Returns the canon of a library created with these options and all other defaults, in hexadecimal.
 *
 * @example
 * await canonOf(); // if equal on two devices, equal documents give equal results
 */
export async function canonOf(options: Omit<ModelOptions, "files"> = {}): Promise<string> {
  const { manifest } = await readManifest(options.model ?? DEFAULT_MODEL);
  const { engine } = await loadEngine(options);
  return canonDigest(
    engine,
    canonParts(manifest, chunkParameters(manifest.limit), "auto", DEFAULT_NAMESPACE),
  );
}
