import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { counted, SelfsameError } from "../../errors/index.ts";
import type { Library, OutsideChunk } from "../../index.ts";
import { type NamedLibraryOptions, withNamedLibrary } from "../named-library.ts";
import { print, printJson } from "../output.ts";
import { relativePath } from "../relative-path.ts";

interface ExportOptions extends NamedLibraryOptions {
  readonly name: string;
}

/** Runs `selfsame export <folder> --jsonl`. */
export async function exportChunks(folder: string, options: ExportOptions): Promise<void> {
  if (!/^[\w.-]+$/.test(options.name))
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected --name to be the name of a file, got ${JSON.stringify(options.name)}`,
      "Letters, digits, dots, hyphens and underscores",
    );
  return withNamedLibrary(options, (library) => write(library, folder, options));
}

async function write(library: Library, folder: string, { name, json }: ExportOptions): Promise<void> {
  const chunks = new Lines(join(folder, "ChunkedDocTagFiles", `${name}.chunk.jsonl`));
  const vectors = new Lines(join(folder, "Embeddings", `${name}.vectors.jsonl`));
  const dense = /^external \d+ (.+)$/s.exec(library.canonParts.vectors)?.[1] ?? "";
  const root = await library.root();
  try {
    for (let page = await library.outsideChunks(); page.length > 0; ) {
      for (const record of page) {
        const { vector, sparse, bm25, ...chunk } = record;
        chunks.add(chunk);
        const { length = 0 } = vector ?? {};
        const given = {
          uuid: chunk.uuid,
          ...(bm25 === undefined ? {} : { BM25: bm25 }),
          ...(sparse === undefined ? {} : { SpladeV3: sparse }),
          ...(vector === undefined ? {} : { [dense]: { vector, model_metadata: { dim: length } } }),
        };
        vectors.add(given);
      }
      page = await library.outsideChunks({ after: (page.at(-1) as OutsideChunk).uuid });
    }
    if (chunks.count === 0)
      throw new SelfsameError(
        "FILE_MISSING",
        "expected chunks that were made elsewhere, got none in this library",
        "Those that were cut here are made again from their documents",
      );
    if ((await library.root()) !== root)
      throw new SelfsameError(
        "DATABASE_BUSY",
        "expected the library to stay as it was during the export, got a write",
        "Export again",
      );
  } catch (error) {
    for (const lines of [chunks, vectors]) lines.abandon();
    throw error;
  }
  for (const lines of [chunks, vectors]) lines.finish();
  if (json) printJson({ chunks: chunks.count, files: [chunks.file, vectors.file], root });
  else
    print(
      `${counted(chunks.count, "chunk")} in ${relativePath(chunks.file)} and ${relativePath(vectors.file)}`,
    );
}

/** A JSONL file that is complete when it has its name. */
class Lines {
  readonly file: string;
  readonly #unfinished: string;
  readonly #fd: number;
  count = 0;

  constructor(file: string) {
    mkdirSync(dirname(file), { recursive: true });
    if (existsSync(file))
      throw new SelfsameError(
        "BAD_ARGUMENT",
        `expected no file ${file}, got one`,
        "Use another folder or --name",
      );
    this.file = file;
    this.#unfinished = `${file}.unfinished`;
    this.#fd = openSync(this.#unfinished, "w", 0o600);
  }

  add(value: object): void {
    writeSync(this.#fd, `${JSON.stringify(value)}\n`);
    this.count++;
  }

  finish(): void {
    closeSync(this.#fd);
    renameSync(this.#unfinished, this.file);
  }

  abandon(): void {
    closeSync(this.#fd);
    rmSync(this.#unfinished, { force: true });
  }
}
