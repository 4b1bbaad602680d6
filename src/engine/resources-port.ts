import type { Build } from "./engine.ts";
import type { PinnedFile } from "./pinned-file.ts";

/**
 * Locates the package's files and reads bytes. `#resources` resolves to resources.node.ts or resources.browser.ts by
 * the conditions in package.json, so that no Node built-in is reachable from a browser's bundle.
 */
export interface Resources {
  /** Returns the address of a build's wasm. */
  engineUrl(build: Build): URL;
  /** Returns the address of a model's manifest. */
  manifestUrl(model: string): URL;
  /**
   * Returns the folder of an installed npm package, as a URL that ends in `/`; null on hosts without named packages.
   */
  packageUrl(name: string): Promise<URL | null>;
  /**
   * Returns all bytes behind a URL. `bytesMax` defaults to the maximum for a file of this package.
   *
   * @throws {SelfsameError} FILE_MISSING if there are none, FILE_TOO_LARGE if there are more than `bytesMax`
   */
  readUrl(url: URL, bytesMax?: number): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Returns a file with a known digest. A file from a server is checked here; a file from a disk is checked by the code
   * that uses it. A browser downloads it once and keeps it in its cache.
   */
  readPinned(url: URL, file: PinnedFile): Promise<Uint8Array<ArrayBuffer>>;
}
