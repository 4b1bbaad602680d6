import { z } from "zod";
import { INDEXING_ANNOTATIONS, indexFiles } from "./index-files.ts";
import type { Service } from "./service.ts";
import { tool } from "./tool.ts";
import { toolResult } from "./tool-result.ts";

const input = z.strictObject({
  path: z
    .string()
    .min(1)
    .nullish()
    .describe("A file or folder within the server's roots; default: the server's current working directory"),
  paths: z
    .array(z.string().min(1))
    .nullish()
    .describe("Several files or folders; if there are any, path is ignored"),
  force: z.boolean().default(false).describe("Index every file again, even if it looks unchanged"),
});

const output = z.strictObject({
  indexed_files: z.int(),
  skipped_files: z.int(),
  indexed_paths: z.array(z.string()).optional(),
  embedding_model: z.string(),
  embedding_backend: z.string(),
});

/** The Rifflux contract's tool for indexing. Unlike `index` it ignores the paths of the configuration (CON-006). */
export const REINDEX = tool({
  name: "reindex",
  description:
    "Bring the library up to date with files and folders. New and changed files are indexed, unchanged files are " +
    "skipped, and documents whose files are gone are removed. Without path and paths it indexes the server's current " +
    "working directory. Searches are answered meanwhile.",
  input,
  output,
  isStructured: true,
  annotations: INDEXING_ANNOTATIONS,
  run: (service: Service, { path, paths, force }, extra) =>
    toolResult(service, true, async () => {
      const several = paths?.length ? paths : null;
      const asked = several ?? (path ? [path] : service.roots.defaults);
      const { report, locations, model, backend } = await indexFiles(service, asked, force, extra);
      return {
        text: null,
        value: {
          indexed_files: report.added + report.updated,
          skipped_files: report.unchanged + report.skipped.length,
          ...(several !== null || locations.length > 1 ? { indexed_paths: [...locations] } : {}),
          embedding_model: model,
          embedding_backend: backend,
        } satisfies z.infer<typeof output>,
      };
    }),
});
