import { createWriteStream, renameSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { counted, SelfsameError } from "../../errors/index.ts";
import type { Library } from "../../index.ts";
import { interruptible } from "../interruption.ts";
import { type NamedLibraryOptions, withNamedLibrary } from "../named-library.ts";
import { print, printJson } from "../output.ts";
import { keyOf } from "../pack-key.ts";
import { PackLine } from "../pack-line.ts";
import { relativePath } from "../relative-path.ts";

interface ExportPackCommandOptions extends NamedLibraryOptions {
  readonly path?: readonly string[];
  readonly vectorsOnly?: boolean;
  readonly sign?: string;
}

/** A library that is being changed may need more than one try. */
const TRIES_MAX = 5;

/** Runs `selfsame export <file>`. */
export async function exportPack(file: string, options: ExportPackCommandOptions): Promise<void> {
  const { path, vectorsOnly, sign } = options;
  const given = {
    ...(path === undefined ? {} : { paths: path }),
    ...(vectorsOnly === undefined ? {} : { vectorsOnly }),
    ...(sign === undefined ? {} : { sign: keyOf("--sign", sign) }),
  };
  await withNamedLibrary(options, (library) =>
    interruptible(async (signal) => {
      const line = new PackLine();
      let documents = 0;
      let vectors = 0;
      const onProgress: typeof line.show = (event) => {
        ({ documents, vectors } = event);
        line.show(event);
      };
      const bytes = await retried(() => write(library, file, { ...given, signal, onProgress })).finally(() =>
        line.clear(),
      );
      const root = await library.root();
      if (options.json) printJson({ file, bytes, documents, chunks: vectors, root });
      else {
        const what = vectorsOnly
          ? counted(vectors, "vector")
          : `${counted(documents, "document")} with ${counted(vectors, "chunk")}`;
        print(`${what} in ${relativePath(file)}, ${counted(bytes, "byte")}`);
      }
    }),
  );
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isOutdated = error instanceof SelfsameError && error.code === "PACK_OUTDATED";
      if (!isOutdated || attempt === TRIES_MAX) throw error;
    }
  }
}

/** Writes the pack under another name first: a file with its name is whole. Returns its size. */
async function write(
  library: Library,
  file: string,
  options: Parameters<Library["exportPack"]>[0],
): Promise<number> {
  const unfinished = `${file}.unfinished`;
  const out = createWriteStream(unfinished, { mode: 0o600, flush: true } as object);
  try {
    await pipeline(library.exportPack(options), out);
    renameSync(unfinished, file);
    return out.bytesWritten;
  } catch (error) {
    rmSync(unfinished, { force: true });
    if (error instanceof SelfsameError) throw error;
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected a file that can be written, got ${error instanceof Error ? error.message : error}`,
      "",
      { cause: error },
    );
  }
}
