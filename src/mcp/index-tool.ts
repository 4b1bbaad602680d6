import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { INDEXING_ANNOTATIONS, indexFiles } from "./index-files.ts";
import type { Service } from "./service.ts";
import { toolResult } from "./tool-result.ts";

export const input = z.strictObject({
  paths: z
    .array(z.string().min(1))
    .optional()
    .describe(
      "Files and folders within the server's roots; default: paths of selfsame.config.json, or else the server's " +
        "current working directory",
    ),
  force: z
    .boolean()
    .default(false)
    .describe("Index every file again, even if it looks unchanged, and rebuild a library of another model"),
});

/** The answer names at most this many skipped files. */
const SKIPPED_MAX = 100;

const output = z.strictObject({
  paths: z.array(z.string()).describe("The files and folders that were indexed, as absolute paths"),
  added: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  removed: z.int().describe("Documents that were removed because their files are gone"),
  skipped: z.int().describe("Files that cannot be indexed"),
  skipped_files: z
    .array(z.strictObject({ path: z.string(), reason: z.string(), detail: z.string().optional() }))
    .describe(`The first ${SKIPPED_MAX} of them, each with the reason`),
  root: z.string().describe("The library's root afterwards"),
  embedding_model: z.string(),
  embedding_backend: z.string(),
});

/** Brings the server's own library up to date, as the command `selfsame index` does. */
export function registerIndex(server: McpServer, service: Service): void {
  server.registerTool(
    "index",
    {
      title: "Index files",
      description:
        "Bring the library up to date with files and folders. New and changed files are indexed, unchanged files are left " +
        "as they are, and documents whose files are gone are removed. Searches are answered meanwhile.",
      inputSchema: input,
      outputSchema: output,
      annotations: INDEXING_ANNOTATIONS,
    },
    ({ paths, force }, extra) =>
      toolResult(service, async () => {
        const asked = paths?.length ? paths : await service.configuredLocations();
        const { report, locations, model, backend } = await indexFiles(service, asked, force, extra);
        const { added, updated, unchanged, removed, skipped, root } = report;
        return {
          value: {
            paths: [...locations],
            added,
            updated,
            unchanged,
            removed,
            skipped: skipped.length,
            skipped_files: skipped.slice(0, SKIPPED_MAX).map((file) => ({ ...file })),
            root,
            embedding_model: model,
            embedding_backend: backend,
          } satisfies z.infer<typeof output>,
        };
      }),
  );
}
