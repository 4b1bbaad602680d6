/**
 * WebAssembly's global, which the types of Node 20 leave out and those of browsers have. Only what is used here. It is not
 * part of the build: `npm run lint` checks the files for Node with it.
 */
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>;
  class Module {
    constructor(bytes: ArrayBufferView | ArrayBuffer);
  }
  class Instance {
    constructor(module: Module, imports?: Imports);
    readonly exports: Record<string, unknown>;
  }
  class Memory {
    constructor(descriptor: { readonly initial: number; readonly maximum?: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class RuntimeError extends Error {}
  class CompileError extends Error {}
  function compile(bytes: ArrayBufferView | ArrayBuffer): Promise<Module>;
  function instantiate(module: Module, imports?: Imports): Promise<Instance>;
  function validate(bytes: ArrayBufferView | ArrayBuffer): boolean;
}
