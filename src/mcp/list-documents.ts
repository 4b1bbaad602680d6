import { z } from "zod";
import type { LibraryAccess } from "./access.ts";
import { dbPath } from "./arguments.ts";
import { READS, structured, tool } from "./tool.ts";
import { toolResult } from "./tool-result.ts";

const input = z.strictObject({
  glob: z.string().min(1).optional().describe('Only paths that match, such as "docs/**"'),
  limit: z.int().min(1).max(10_000).default(100).describe("How many at most"),
  after: z.string().optional().describe("Only paths after this one: the last of the list before"),
  db_path: dbPath,
  structured,
});

const output = z.strictObject({
  documents: z.array(
    z.strictObject({
      document_id: z.string(),
      path: z.string(),
      format: z.string(),
      chunks: z.int(),
      bytes: z.int(),
      modified_at: z.number().nullable(),
      mime: z.string().nullable(),
    }),
  ),
  has_more: z.boolean(),
});

/** Lists documents by path. */
export const LIST_DOCUMENTS = tool({
  name: "list_documents",
  description: "List the paths of documents, in order",
  input,
  output,
  annotations: READS,
  run: (service: LibraryAccess, { glob, limit, after, db_path, structured: isStructured }) =>
    toolResult(service, isStructured, async () => {
      const file = await service.libraryPath(db_path);
      const found = await service.libraries.use(file, (library) =>
        library.documents({
          limit: limit + 1,
          ...(glob === undefined ? {} : { match: glob }),
          ...(after === undefined ? {} : { after }),
        }),
      );
      const documents = found.slice(0, limit);
      const hasMore = found.length > limit;
      const value: z.infer<typeof output> = {
        documents: documents.map(({ documentId, path, format, chunks, bytes, modifiedAt, mime }) => ({
          document_id: documentId,
          path,
          format,
          chunks,
          bytes,
          modified_at: modifiedAt,
          mime,
        })),
        has_more: hasMore,
      };
      const none = glob === undefined ? "no documents" : `no path matches ${glob}`;
      return {
        value,
        text: () =>
          [
            ...(documents.length === 0 ? [none] : documents.map(({ path }) => path)),
            ...(hasMore ? [`… more after ${documents.at(-1)!.path}`] : []),
          ].join("\n"),
      };
    }),
});
