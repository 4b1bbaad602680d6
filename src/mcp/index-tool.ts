import { z } from "zod";
import type { AddFilesReport } from "../index.ts";
import { INDEXING_ANNOTATIONS, indexFiles } from "./index-files.ts";
import type { Service } from "./service.ts";
import { structured, tool } from "./tool.ts";
import { toolResult } from "./tool-result.ts";

const input = z.strictObject({
  paths: z
    .array(z.string().min(1))
    .optional()
    .describe("Files and folders; default: those of the configuration, or the server's folder"),
  force: z
    .boolean()
    .default(false)
    .describe("Read unchanged files again, and rebuild a library of another model"),
  structured,
});

/** The answer names at most this many skipped files. */
const SKIPPED_MAX = 100;
/** … and as text at most this many. */
const SKIPPED_TOLD = 10;

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
export const INDEX = tool({
  name: "index",
  description:
    "Bring the library up to date with files: new and changed ones are read, documents whose files are gone are removed. " +
    "Searches are answered meanwhile",
  input,
  output,
  annotations: INDEXING_ANNOTATIONS,
  run: (service: Service, { paths, force, structured: isStructured }, extra) =>
    toolResult(service, isStructured, async () => {
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
        text: () => textOf(report),
      };
    }),
});

function textOf({ added, updated, unchanged, removed, skipped, root }: AddFilesReport): string {
  const counts = `${added} added, ${updated} updated, ${unchanged} unchanged, ${removed} removed`;
  const left = skipped.slice(0, SKIPPED_TOLD).map(({ path, reason }) => `\nleft out: ${path} (${reason})`);
  const more = skipped.length > SKIPPED_TOLD ? `\n… and ${skipped.length - SKIPPED_TOLD} more` : "";
  return `${counts}; root ${root.slice(0, 16)}${left.join("")}${more}`;
}
