import { constants } from "node:fs";
import { access, open } from "node:fs/promises";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { download } from "./download.ts";
import { fetchBytes, PACKAGE_FILE_BYTES_MAX, tooLong } from "./fetch.ts";
import { otherLength, type PinnedFile } from "./pinned-file.ts";
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
    // The entry point is somewhere below the folder that has the package.json.
    for (; folder.pathname !== "/"; folder = new URL("../", folder)) {
      const found = await access(new URL("package.json", folder)).then(
        () => true,
        () => false,
      );
      if (found) break;
    }
    return folder;
  },
  readUrl: (url, bytesMax = PACKAGE_FILE_BYTES_MAX) =>
    url.protocol === "file:" ? readFile(url, bytesMax) : fetchBytes(url, bytesMax),
  readPinned: (url, file) => (url.protocol === "file:" ? readPinned(url, file) : download(url, file)),
};

async function readPinned(url: URL, file: PinnedFile): Promise<Uint8Array<ArrayBuffer>> {
  return readFile(url, file.bytes).catch((error) => {
    throw error.code === "FILE_TOO_LARGE" ? otherLength(file, "more") : error;
  });
}

async function readFile(url: URL, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readWhole(url, bytesMax);
  } catch (cause) {
    if (cause instanceof SelfsameError) throw cause;
    throw new SelfsameError(
      "FILE_MISSING",
      `expected a readable file at ${url.href}, got ${cause instanceof Error ? cause.message : cause}`,
      "Check the path. To restore the package's own files, install it again (in a clone: npm run build)",
      { cause },
    );
  }
}

/** Reads a whole file with one copy. readFile joins pieces of half a megabyte, which is twice as slow for weights. */
async function readWhole(url: URL, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  // Opening a pipe without a writer would block forever. Windows has neither such pipes nor the flag.
  const file = await open(url, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error("something other than a file");
    if (stat.size > bytesMax) throw tooLong(url, bytesMax, `${stat.size}`);
    const { size } = stat;
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
