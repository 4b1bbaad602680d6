import { SelfsameError } from "../errors/selfsame-error.ts";
import type { EngineExports } from "./exports.generated.ts";

/** The three builds of the same source. SPEC §1.3 */
export type Build = "simd" | "soft" | "scalar";

const PAGE_BYTES = 65_536;

/**
 * One instance of a build, with its own memory. Only code in src/engine/ and the marshalling classes that receive an
 * Engine touch that memory. Views are created again after each call, since growth detaches them.
 */
export class Engine {
  /** The build that it is an instance of. */
  readonly build: Build;
  /** The exports of the build. */
  readonly exports: EngineExports;
  readonly #module: WebAssembly.Module;

  /** @internal */
  constructor(build: Build, module: WebAssembly.Module, instance?: WebAssembly.Instance) {
    this.build = build;
    this.#module = module;
    this.exports = (instance ?? new WebAssembly.Instance(module, {})).exports as unknown as EngineExports;
  }

  /** Returns another engine of the same code, with its own memory. It needs no probe: this one has passed it. */
  another(): Engine {
    return new Engine(this.build, this.#module);
  }

  /** Returns a view of `length` bytes at `pointer`, valid until memory grows. */
  bytes(pointer: number, length: number): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer, pointer >>> 0, length);
  }

  /** Grows memory by so many bytes, so that it need not grow while they are filled. If it cannot, it grows later. */
  reserve(length: number): void {
    try {
      this.exports.memory.grow(Math.ceil(length / PAGE_BYTES));
    } catch {} // a RangeError: whoever needs the memory reports that there is none
  }

  /** Allocates `length` bytes, kept until the surrounding `scope` ends (permanently, outside of any scope). */
  alloc(length: number): number {
    const pointer = length <= 0xffff_0000 ? this.exports.alloc(length) >>> 0 : 0;
    if (pointer === 0) {
      throw new SelfsameError(
        "OUT_OF_MEMORY",
        `expected ${length} more bytes of memory for the engine, got none (${this.exports.memory.buffer.byteLength} bytes in use)`,
        "Close other libraries, or split the work into smaller parts",
      );
    }
    return pointer;
  }

  /** Copies `data` into newly allocated engine memory. */
  write(data: Uint8Array): number {
    const pointer = this.alloc(data.byteLength);
    this.bytes(pointer, data.byteLength).set(data);
    return pointer;
  }

  /** Returns a copy of `length` bytes at `pointer`. */
  read(pointer: number, length: number): Uint8Array<ArrayBuffer> {
    return this.bytes(pointer, length).slice() as Uint8Array<ArrayBuffer>;
  }

  /** Runs `work`, then frees everything that it allocated, even if it throws. */
  scope<T>(work: () => T): T {
    const mark = this.exports.memory_mark();
    try {
      return work();
    } finally {
      this.exports.memory_release(mark);
    }
  }
}
