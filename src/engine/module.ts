import type { Build } from "./engine.ts";
import { resources } from "./resources.ts";

/**
 * Where the wasm of a build comes from: its bytes, an address, or an already compiled module (say, from another
 * thread).
 */
export type EngineSource = (build: Build) => EngineFile | Promise<EngineFile>;
/** A build's wasm: bytes, an address, or a compiled module. */
export type EngineFile = Uint8Array<ArrayBuffer> | ArrayBuffer | URL | WebAssembly.Module;

/** The files of this package. */
export const packageSource: EngineSource = (build) => resources.engineUrl(build);

type Compiled = WebAssembly.Module | Error;
const known = new WeakMap<EngineSource, Map<Build, Promise<Compiled>>>();

/**
 * Returns the module of a build, read and compiled once per source. Every engine instantiates its own memory from it.
 * Rejects if it cannot be read. Resolves to the host's error if it cannot be compiled, which says something about the
 * device, not the file.
 */
export function compiledModule(build: Build, source: EngineSource): Promise<Compiled> {
  const modules = known.get(source) ?? new Map<Build, Promise<Compiled>>();
  known.set(source, modules);
  let module = modules.get(build);
  if (module === undefined) {
    module = compile(build, source);
    modules.set(build, module);
    // If a read failed, for example without a network, it may be tried again.
    module.catch(() => modules.delete(build));
  }
  return module;
}

async function compile(build: Build, source: EngineSource): Promise<Compiled> {
  const file = await source(build);
  if (file instanceof WebAssembly.Module) return file;
  const bytes = file instanceof URL ? await resources.readUrl(file) : file;
  return WebAssembly.compile(bytes).catch((error: Error) => error);
}
