import type { OpenOptions } from "./open-options.ts";

/**
 * Returns the options of `open` for a library that can take a pack: namespace, chunking, index, vectors. The model is not
 * among them.
 *
 * @example
 * const library = await open("notes.db", await optionsOfPack(() => createReadStream("notes.pack")));
 */
export async function optionsOfPack(
  source: () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>,
): Promise<OpenOptions> {
  const { settingsOfPack } = await import("./packs/pack-settings.ts");
  return settingsOfPack(await source());
}
