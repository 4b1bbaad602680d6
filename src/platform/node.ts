import { readFile } from "node:fs/promises";
import { SelfsameError } from "../errors.ts";
import { fetchBytes } from "./fetch.ts";
import type { Platform } from "./platform.ts";

/** Node, and Deno and Bun, which answer to the same condition and have the same built-ins. */
const platform: Platform = {
  engineUrl: (build) => new URL(`../../build/engine.${build}.wasm`, import.meta.url),
  async readUrl(url) {
    if (url.protocol !== "file:") return fetchBytes(url);
    try {
      return new Uint8Array(await readFile(url));
    } catch (cause) {
      throw new SelfsameError(
        "FILE_MISSING",
        `expected a readable file at ${url.href}, got ${cause instanceof Error ? cause.message : cause}`,
        "Check the path; the package's own files come back with a fresh install (in a clone: npm run build)",
        { cause },
      );
    }
  },
};
export default platform;
