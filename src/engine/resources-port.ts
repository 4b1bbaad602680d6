import type { Build } from "./engine.ts";
import type { PinnedFile } from "./pinned-file.ts";

/**
 * Where the package's own files are, and how bytes are read. `#resources` resolves to resources.node.ts or
 * resources.browser.ts by the conditions in package.json, so that no Node built-in is reachable from a browser's bundle.
 */
export interface Resources {
  /** The address of a build's wasm. */
  engineUrl(build: Build): URL;
  /** The address of a model's manifest. */
  manifestUrl(model: string): URL;
  /** The folder of an installed npm package, as a URL that ends in `/`; null where packages have no names. */
  packageUrl(name: string): Promise<URL | null>;
  /** All bytes behind a URL; a SelfsameError FILE_MISSING if there are none. */
  readUrl(url: URL): Promise<Uint8Array<ArrayBuffer>>;
  /** A file with a known digest. A browser keeps it in its cache and downloads it once. */
  readPinned(url: URL, file: PinnedFile): Promise<Uint8Array<ArrayBuffer>>;
}
