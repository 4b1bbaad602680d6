import v8 from "node:v8";

// V8 optimises a function once the bytes that it has jumped over exceed a budget. In the loop of SQLite's interpreter,
// one of 30 KB, that is so after a hundred steps, and optimising this loop and the parser takes 0.25 s of processor time:
// a third of a short command. With this budget it happens after some ten thousand steps, in programs that gain by it.
const BUDGET = 1_000_000_000;
/** The default of V8 11, in Node 20 and 21. Flags cannot be read, so only a known one is changed. */
const DEFAULT_BUDGET = 1_800_000;
const IS_KNOWN =
  process.versions.v8?.startsWith("11.") && !("deno" in process.versions) && !("bun" in process.versions);

/** Compiles SQLite. The budget belongs to a module from its creation, so the flag changes no other module. */
export async function compileSqlite(wasm: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> {
  if (!IS_KNOWN) return WebAssembly.compile(wasm);
  v8.setFlagsFromString(`--wasm-tiering-budget=${BUDGET}`);
  try {
    // Not asynchronously: other modules may be compiled meanwhile. Functions are compiled when they are first called.
    return new WebAssembly.Module(wasm);
  } finally {
    v8.setFlagsFromString(`--wasm-tiering-budget=${DEFAULT_BUDGET}`);
  }
}
