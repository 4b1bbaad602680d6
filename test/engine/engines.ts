import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Build, Engine } from "#dist/engine/engine.js";

export const BUILDS: readonly Build[] = ["simd", "soft", "scalar"];

/** A fresh instance of a build, straight from its file: no probe, no fall-back. */
export function loadBuild(build: Build): Engine {
  const file = join(import.meta.dirname, `../../build/engine.${build}.wasm`);
  return new Engine(build, new WebAssembly.Module(readFileSync(file)));
}
