import type { Build } from "./engine.ts";
import { fetchBytes } from "./fetch.ts";
import { readPinned } from "./pinned-files.browser.ts";
import type { Resources } from "./resources-port.ts";

/** The package's files in a browser: addresses relative to this file, read with fetch. */
const resources: Resources = {
  // Each address is written out: bundlers find and copy a file only by the literal form new URL("…", import.meta.url).
  engineUrl(build: Build): URL {
    switch (build) {
      case "simd":
        return new URL("../../build/engine.simd.wasm", import.meta.url);
      case "soft":
        return new URL("../../build/engine.soft.wasm", import.meta.url);
      case "scalar":
        return new URL("../../build/engine.scalar.wasm", import.meta.url);
    }
  },
  manifestUrl(model) {
    if (model === "all-MiniLM-L6-v2") return new URL("../../models/all-MiniLM-L6-v2.json", import.meta.url);
    const path = `../../models/${model}.json`; // others are in the served folder, which bundlers do not search
    return new URL(path, import.meta.url);
  },
  // Next to this file, unless `modelUrl` says otherwise.
  packageUrl: async () => new URL("./", import.meta.url),
  readUrl: fetchBytes,
  readPinned,
};

export default resources;
