import { z } from "zod";
import type { Library } from "../index.ts";
import type { LibraryAccess } from "./access.ts";
import { dbPath } from "./arguments.ts";
import { READS, structured, tool } from "./tool.ts";
import { toolResult } from "./tool-result.ts";

const input = z.strictObject({ db_path: dbPath, structured });

const output = z.strictObject({
  db_path: z.string(),
  exists: z.boolean().describe("If false, the tool index makes the server's own library"),
  is_indexing: z.boolean(),
  roots: z.array(z.string()).describe("The folders that clients of this server may access"),
  server_version: z.string(),
  library: z
    .strictObject({
      documents: z.int(),
      chunks: z.int(),
      tokens: z.int(),
      text_bytes: z.int(),
      embeddings: z.int(),
      root: z.string().describe("The same on every device with the same paths and texts"),
      metadata_root: z.string(),
      canon: z
        .string()
        .describe("The digest of everything else that decides results: model, rules, parameters"),
      embedding_model: z.string(),
      embedding_backend: z.string(),
      files_folder: z.string().nullable().describe("The folder that the paths of files are relative to"),
    })
    .nullable(),
});

/** Says what a library holds, and whether it exists. */
export const LIBRARY_STATUS = tool({
  name: "library_status",
  description: "What the library holds, whether it exists, and whether it is being indexed",
  input,
  output,
  annotations: READS,
  run: (service: LibraryAccess, { db_path, structured: isStructured }) =>
    toolResult(service, isStructured, async () => {
      const path = await service.libraryPath(db_path);
      const exists = await service.exists(path);
      const library = exists ? await service.libraries.use(path, statusOf) : null;
      const value: z.infer<typeof output> = {
        db_path: path,
        exists,
        is_indexing: service.libraries.isWritten(path),
        roots: [...service.folders],
        server_version: service.version,
        library,
      };
      return { value, text: () => textOf(value) };
    }),
});

function textOf({ db_path, is_indexing, roots, library }: z.infer<typeof output>): string {
  const state = is_indexing ? ", being indexed" : "";
  const within = roots.length === 0 ? "" : `\nfiles within ${roots.join(", ")}`;
  if (library === null) return `no library yet at ${db_path}${state}: the tool index makes it${within}`;
  const { documents, chunks, files_folder, embedding_model, embedding_backend, root, canon } = library;
  const folder = files_folder === null ? "" : `; paths are relative to ${files_folder}`;
  return [
    `${documents} documents, ${chunks} chunks in ${db_path}${state}${folder}`,
    `model ${embedding_model} (${embedding_backend}), root ${root.slice(0, 16)}, canon ${canon.slice(0, 16)}${within}`,
  ].join("\n");
}

async function statusOf(library: Library): Promise<NonNullable<z.infer<typeof output>["library"]>> {
  const { documents, chunks, tokens, textBytes, embeddings, root, metadataRoot, canon } =
    await library.stats();
  return {
    documents,
    chunks,
    tokens,
    text_bytes: textBytes,
    embeddings,
    root,
    metadata_root: metadataRoot,
    canon,
    embedding_model: library.model,
    embedding_backend: `wasm-${library.build}`,
    files_folder: await library.filesFolder(),
  };
}
