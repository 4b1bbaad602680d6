/**
 * The WebAssembly global, which browsers' types include and Node 20's types leave out. Only what is used here is
 * declared. This file is not part of the build: `npm run lint` uses it to check the files for Node.
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
