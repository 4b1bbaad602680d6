import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { ProgressEvent } from "../index.ts";
import type { Service } from "./service.ts";
import { toolResult } from "./tool-result.ts";

export const input = z.strictObject({
  path: z
    .string()
    .min(1)
    .nullish()
    .describe(
      "A file or folder within the server's roots; default: paths of selfsame.config.json, or else the server's current folder",
    ),
  paths: z.array(z.string().min(1)).nullish().describe("Several of them; if there are any, path is ignored"),
  force: z
    .boolean()
    .default(false)
    .describe("Read and index every file again, also where it looks unchanged"),
});

const output = z.strictObject({
  indexed_files: z.int(),
  skipped_files: z.int(),
  indexed_paths: z.array(z.string()).optional(),
  embedding_model: z.string(),
  embedding_backend: z.string(),
});

/** The tool of the Rifflux contract that brings the server's own library up to date with files. */
export function registerReindex(server: McpServer, service: Service): void {
  server.registerTool(
    "reindex",
    {
      title: "Index files",
      description:
        "Bring the library up to date with files and folders: new and changed files are indexed, unchanged ones " +
        "are skipped, those that are gone are taken out. Searches go on meanwhile.",
      inputSchema: input,
      outputSchema: output,
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    ({ path, paths, force }, extra) =>
      toolResult(service, async () => {
        const several = paths?.length ? paths : null;
        const asked = several ?? (path ? [path] : await service.defaultLocations());
        const locations = await Promise.all(asked.map((each) => service.roots.existing(each)));
        const libraryPath = await service.libraryPath(null);
        const { signal } = extra;
        const options = { rebuild: force, model: service.model, signal };
        return service.libraries.write(libraryPath, options, async (library) => {
          let isListChanged = false;
          try {
            const { added, updated, unchanged, skipped } = await library.addFiles(locations, {
              ...service.patterns,
              force,
              signal,
              root: service.documentsFolder(libraryPath),
              within: service.roots.folders,
              onProgress: progressTeller(extra),
              onDocument: (_, change) => {
                isListChanged ||= change !== "updated";
              },
            });
            return {
              value: {
                indexed_files: added + updated,
                skipped_files: unchanged + skipped.length,
                ...(several !== null || locations.length > 1 ? { indexed_paths: locations } : {}),
                embedding_model: library.model,
                embedding_backend: `wasm-${library.build}`,
              } satisfies z.infer<typeof output>,
            };
          } finally {
            // Also of one that was cancelled or failed half-way: what is written stays.
            if (isListChanged) service.documentsChanged();
          }
        });
      }),
  );
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

const EVERY_MS = 100;

/** Tells the client how far indexing has come, if it asked to be told. */
function progressTeller({ _meta, sendNotification }: Extra): (event: ProgressEvent) => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let told = -1;
  let toldAt = Number.NEGATIVE_INFINITY;
  let before = { documents: -1, chunks: 0 };
  return ({ documents, documentsTotal, chunks }) => {
    if (documents > before.documents) before = { documents, chunks };
    // The number must grow with every message: chunks count as a growing share of the document that is next.
    const progress = documents + 1 - 1 / (1 + Math.max(0, chunks - before.chunks));
    const now = performance.now();
    const isLast = documents === documentsTotal;
    if (progress <= told || (!isLast && now - toldAt < EVERY_MS)) return;
    [told, toldAt] = [progress, now];
    const message = `${documents} of ${documentsTotal} files, ${chunks} chunks`;
    // Whoever is gone needs no progress.
    sendNotification({
      method: "notifications/progress",
      params: { progressToken, progress, total: documentsTotal, message },
    }).catch(() => undefined);
  };
}
