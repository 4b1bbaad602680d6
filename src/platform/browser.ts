import type { Build } from "../engine/engine.ts";
import { fetchBytes } from "./fetch.ts";
import type { Platform } from "./platform.ts";

const platform: Platform = {
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
  readUrl: fetchBytes,
};
export default platform;
