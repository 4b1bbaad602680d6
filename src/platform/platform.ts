import type { Build } from "../engine/engine.ts";

/**
 * All that differs between hosts before a library is opened: where the package's files are, and how bytes are read.
 * `import … from "#platform"` finds node.ts or browser.ts by the conditions in package.json, so that nothing of Node
 * is reachable from a browser's bundle.
 */
export interface Platform {
  /** Where the package keeps the wasm of a build. */
  engineUrl(build: Build): URL;
  /** All bytes behind a URL; a SelfsameError FILE_MISSING if there are none. */
  readUrl(url: URL): Promise<Uint8Array<ArrayBuffer>>;
}
