import { access, open } from "node:fs/promises";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { fetchBytes } from "./fetch.ts";
import type { Resources } from "./resources-port.ts";

/** The package's files in Node, and in Deno and Bun, which have the same built-ins. */
const resources: Resources = {
  engineUrl: (build) => new URL(`../../build/engine.${build}.wasm`, import.meta.url),
  manifestUrl: (model) => new URL(`../../models/${model}.json`, import.meta.url),
  async packageUrl(name) {
    let folder: URL;
    try {
      folder = new URL("./", import.meta.resolve(name));
    } catch (cause) {
      throw new SelfsameError(
        "FILE_MISSING",
        `expected the npm package ${name}, got none`,
        `Install it: npm install ${name}`,
        { cause },
      );
    }
    // The entry point lies somewhere below the folder that has the package.json.
    for (; folder.pathname !== "/"; folder = new URL("../", folder)) {
      const found = await access(new URL("package.json", folder)).then(
        () => true,
        () => false,
      );
      if (found) break;
    }
    return folder;
  },
  readUrl,
  readPinned: readUrl,
};

async function readUrl(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  if (url.protocol !== "file:") return fetchBytes(url);
  try {
    return await readWhole(url);
  } catch (cause) {
    throw new SelfsameError(
      "FILE_MISSING",
      `expected a readable file at ${url.href}, got ${cause instanceof Error ? cause.message : cause}`,
      "Check the path; the package's own files come back with a fresh install (in a clone: npm run build)",
      { cause },
    );
  }
}

/** All of a file with one copy of it: readFile takes pieces of half a megabyte and joins them, twice as slow for weights. */
async function readWhole(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const file = await open(url);
  try {
    const { size } = await file.stat();
    const bytes = new Uint8Array(size);
    let end = 0;
    for (let read = 1; end < size && read > 0; end += read)
      read = (await file.read(bytes, end, size - end, end)).bytesRead;
    return end === size ? bytes : bytes.slice(0, end);
  } finally {
    await file.close();
  }
}

export default resources;
