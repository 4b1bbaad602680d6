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
  /**
   * Returns all bytes behind a URL. Default: as many as a file of this package may have.
   *
   * @throws {SelfsameError} FILE_MISSING if there are none, FILE_TOO_LARGE if there are more than `bytesMax`
   */
  readUrl(url: URL, bytesMax?: number): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Returns a file with a known digest. What comes from a server is checked here, what comes from a disk by its user. A
   * browser keeps it in its cache and downloads it once.
   */
  readPinned(url: URL, file: PinnedFile): Promise<Uint8Array<ArrayBuffer>>;
}
