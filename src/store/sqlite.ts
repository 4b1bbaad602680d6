import factory from "@journeyapps/wa-sqlite/dist/wa-sqlite.mjs";
import { IS_LITTLE_ENDIAN } from "../engine/byte-order.ts";
import { instanceOf } from "../engine/instance.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { probeBm25 } from "./bm25-probe.ts";
import { Database } from "./database.ts";
import type { SqliteModule } from "./sqlite-module.ts";

/**
 * sha256 of the one SQLite binary, dist/wa-sqlite.wasm of @journeyapps/wa-sqlite 2.0.6 (SQLite 3.53.0, synchronous
 * build). BM25's logarithms differ between builds, so the binary is part of the definition of a result. SPEC §14.4
 */
export const SQLITE_SHA256 = "c2c86269d8fd0b0913ea40c2b07d82763f00e293b9e4d7c406f5ed95345ddb25";

/**
 * The pinned SQLite, checked and compiled once; `instantiate` returns a fresh instance. Each database gets its own: it
 * costs 2 ms, a trap in one harms no other, and closing a database frees all its memory.
 */
export class Sqlite {
  readonly #compiled: WebAssembly.Module;

  private constructor(compiled: WebAssembly.Module) {
    this.#compiled = compiled;
  }

  /** Takes the bytes of the binary, refuses any other binary, and probes it with a known answer of bm25. */
  static async load(
    wasm: Uint8Array<ArrayBuffer>,
    compile: (wasm: Uint8Array<ArrayBuffer>) => Promise<WebAssembly.Module>,
  ): Promise<Sqlite> {
    const digest = await sha256(wasm);
    if (digest !== SQLITE_SHA256) {
      throw new SelfsameError(
        "ENGINE_REFUSED",
        `expected SQLite's wasm with sha256 ${SQLITE_SHA256}, got ${digest}`,
        "Install @journeyapps/wa-sqlite 2.0.6 exactly",
      );
    }
    // Its JavaScript reads and writes numbers in the byte order of the host (seen on s390x: it traps at start).
    if (!IS_LITTLE_ENDIAN) {
      throw new SelfsameError(
        "ENGINE_REFUSED",
        "expected a little-endian device for SQLite, got a big-endian one",
        "Embeddings and vector indexes work here; keep libraries on another device",
      );
    }
    const sqlite = new Sqlite(await compile(wasm));
    const database = await sqlite.openMemory();
    try {
      probeBm25(database);
    } finally {
      database.close();
    }
    return sqlite;
  }

  instantiate(): Promise<SqliteModule> {
    return new Promise((resolve, reject) => {
      const options = {
        instantiateWasm: (
          imports: WebAssembly.Imports,
          done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
        ) => {
          instanceOf(this.#compiled, imports).then((instance) => done(instance, this.#compiled), reject);
          return {};
        },
        // Its output goes into typed errors; stdout and stderr belong to the caller.
        print: () => {},
        printErr: () => {},
      };
      factory(options).then(resolve, reject);
    });
  }

  /** Opens a database in memory, on any host. */
  async openMemory(): Promise<Database> {
    const module = await this.instantiate();
    return new Database(module, ":memory:", { vfs: null, backing: null, reservedBytes: 0, timeoutMs: 0 });
  }
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (globalThis.crypto?.subtle === undefined) {
    throw new SelfsameError(
      "ENGINE_REFUSED",
      "expected crypto.subtle to check SQLite's wasm, got a page without it",
      "Serve the page over https or from localhost",
    );
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
