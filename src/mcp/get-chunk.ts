import { z } from "zod";
import { type ChunkInfo, SelfsameError } from "../index.ts";
import type { LibraryAccess } from "./access.ts";
import { dbPathOrNull } from "./arguments.ts";
import { documentUri } from "./documents.ts";
import { READS, tool } from "./tool.ts";
import { toolResult } from "./tool-result.ts";

const input = z.strictObject({
  db_path: dbPathOrNull,
  chunk_id: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .describe("The chunk_id of a search result"),
  around: z.int().min(0).max(20).default(0).describe("How many neighbouring chunks to return on each side"),
});

const chunk = {
  chunk_id: z.string(),
  chunk_index: z.int(),
  heading_path: z.string(),
  start: z.int().describe("Byte offset in the UTF-8 of the document's text"),
  end: z.int(),
  tokens: z.int(),
  content: z.string(),
};

const output = z.strictObject({
  ...chunk,
  before: z.array(z.strictObject(chunk)),
  after: z.array(z.strictObject(chunk)),
  document: z.strictObject({
    document_id: z.string(),
    path: z.string(),
    uri: z.string().describe("The resource with the whole text"),
    chunks: z.int(),
    bytes: z.int(),
    modified_at: z.number().nullable(),
    mime: z.string().nullable(),
    metadata: z.unknown(),
  }),
});

/** Reads one chunk with its document and its neighbours: for agents that were given ids by a contract's tool. */
export const GET_CHUNK = tool({
  name: "get_chunk",
  description: "Read a chunk that a search found, with its document and, if asked for, the chunks around it.",
  input,
  output,
  isStructured: true,
  annotations: READS,
  run: (service: LibraryAccess, { db_path, chunk_id, around }) =>
    toolResult(service, true, async () => {
      const path = await service.libraryPath(db_path);
      return service.libraries.use(path, async (library) => {
        const found = await library.chunk(chunk_id);
        if (found === null) {
          throw new SelfsameError(
            "BAD_ARGUMENT",
            `expected the id of a chunk of ${path}, got ${chunk_id}`,
            "Search again: a changed document has other chunks",
          );
        }
        const { document, sequence } = found;
        const chunks = around === 0 ? [] : await library.chunks(document.path);
        return {
          text: null,
          value: {
            ...chunkOf(found),
            before: chunks.slice(Math.max(0, sequence - around), sequence).map(chunkOf),
            after: chunks.slice(sequence + 1, sequence + 1 + around).map(chunkOf),
            document: {
              document_id: document.documentId,
              path: document.path,
              uri: documentUri(document.path),
              chunks: document.chunks,
              bytes: document.bytes,
              modified_at: document.modifiedAt,
              mime: document.mime,
              metadata: document.metadata,
            },
          } satisfies z.infer<typeof output>,
        };
      });
    }),
});

function chunkOf({ chunkId, sequence, breadcrumb, start, end, tokens, text }: ChunkInfo) {
  return {
    chunk_id: chunkId,
    chunk_index: sequence,
    heading_path: breadcrumb,
    start,
    end,
    tokens,
    content: text,
  };
}
