import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { recallAnswer, recallAnswerOf, recallContext, recallRequestOf } from "../http/index.ts";
import type { LibraryAccess } from "./access.ts";
import { dbPath } from "./arguments.ts";
import { toolResult } from "./tool-result.ts";

export const input = z.strictObject({
  db_path: dbPath,
  query_text: z.string().describe("What to remember: words, or a question"),
  ctx: recallContext.optional(),
});

/** Recall of memories with reasons, within a budget and within what a person may see. */
export function registerRecall(server: McpServer, service: LibraryAccess): void {
  server.registerTool(
    "recall",
    {
      title: "Recall",
      description:
        "Recall memories from the indexed documents: each with a score, the reasons for it term by term, and a confidence. " +
        "Recency, persons, links between documents and what is in focus count, and nothing that the person may not see. " +
        "With ctx.now the answer carries a receipt that any device can verify.",
      inputSchema: input,
      outputSchema: recallAnswer,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ db_path, query_text, ctx }) =>
      toolResult(service, async () => {
        const path = await service.libraryPath(db_path);
        return service.libraries.use(path, async (library) => {
          const request = recallRequestOf({ query_text, ...(ctx === undefined ? {} : { ctx }) });
          return { value: recallAnswerOf(await library.recall(request)) };
        });
      }),
  );
}
