import { z } from "zod";
import { recallAnswer, recallAnswerOf, recallContext, recallRequestOf } from "../http/index.ts";
import type { RecallResponse } from "../index.ts";
import type { LibraryAccess } from "./access.ts";
import { dbPath } from "./arguments.ts";
import { READS, structured, tool } from "./tool.ts";
import { toolResult } from "./tool-result.ts";

const few = {
  query_text: z.string().describe("What to remember: words, or a question"),
  db_path: dbPath,
  structured,
};

/** Recall of memories with reasons, within a budget and within what a person may see. */
export const RECALL = tool({
  name: "recall",
  description:
    "Recall memories: passages with a score and its reasons, by words, meaning, recency, persons and links, within what the " +
    "person may see",
  input: z.strictObject({ ...few, ctx: recallContext.optional() }),
  shown: z.strictObject({
    ...few,
    ctx: z
      .looseObject({})
      .optional()
      .describe("person_id, now, top_k, time_budget_ms, filters and more: docs/recall.md has all"),
  }),
  output: recallAnswer,
  annotations: READS,
  run: (service: LibraryAccess, { db_path, query_text, ctx, structured: isStructured }) =>
    toolResult(service, isStructured, async () => {
      const path = await service.libraryPath(db_path);
      return service.libraries.use(path, async (library) => {
        const request = recallRequestOf({ query_text, ...(ctx === undefined ? {} : { ctx }) });
        const answer = await library.recall(request);
        return { value: recallAnswerOf(answer), text: () => textOf(answer) };
      });
    }),
});

function textOf({ results, receipt, warnings }: RecallResponse): string {
  const memories = results.map(
    ({ doc_id, line, score, reasons, text }, i) =>
      `${i + 1}. ${doc_id}:${line} · ${score.toFixed(3)}: ${reasons.join(", ")}\n${text.trim()}\n\n`,
  );
  const foot = receipt === null ? "no receipt without ctx.now" : `receipt ${receipt.digest.slice(0, 16)}`;
  return [...warnings.map((each) => `${each}\n`), ...memories, foot].join("");
}
