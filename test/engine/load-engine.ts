import { readFileSync } from "node:fs";
import { type Build, Engine } from "#dist/engine/engine.js";

/** A build, straight from its file, without the probe. */
export function loadEngine(build: Build): Engine {
  const bytes = readFileSync(new URL(`../../build/engine.${build}.wasm`, import.meta.url));
  return new Engine(build, new WebAssembly.Module(bytes));
}
