import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { Library } from "../index.ts";
import type { LibraryAccess } from "./access.ts";
import { dbPath } from "./arguments.ts";
import { toolResult } from "./tool-result.ts";

export const input = z.strictObject({ db_path: dbPath });

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
    })
    .nullable(),
});

/** Says what a library holds, and whether it exists. */
export function registerLibraryStatus(server: McpServer, service: LibraryAccess): void {
  server.registerTool(
    "library_status",
    {
      title: "Library status",
      description:
        "Report whether the library exists, what it contains, its root and canon, and whether it is being indexed.",
      inputSchema: input,
      outputSchema: output,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ db_path }) =>
      toolResult(service, async () => {
        const path = await service.libraryPath(db_path);
        const exists = await service.exists(path);
        const library = exists ? await service.libraries.use(path, statusOf) : null;
        return {
          value: {
            db_path: path,
            exists,
            is_indexing: service.libraries.isWritten(path),
            roots: [...service.folders],
            server_version: service.version,
            library,
          } satisfies z.infer<typeof output>,
        };
      }),
  );
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
  };
}
