import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { open } from "../../index.ts";
import { print } from "../output.ts";
import { indexFiles } from "./index.run.ts";
import { recallIn } from "./recall.run.ts";
import { search } from "./search.run.ts";

/**
 * Runs `selfsame demo recall`: a family's dated notes, which come with the package, and the request of the recall
 * contract, with every step explained. Alice asks: she does not see her own gift, nor notes of a higher band.
 */
export async function demoRecall(): Promise<void> {
  const family = fileURLToPath(new URL("../../../test-vectors/family", import.meta.url));
  const library = await open(":memory:", { model: "all-MiniLM-L6-v2", namespace: "shared:household" });
  try {
    await library.addFiles([family], { root: family });
    const query = "birthday party balloons and candles";
    print(`alice in shared:household, 17 November 2026: ${JSON.stringify(query)}`);
    print("");
    const ctx = {
      person_id: "alice",
      space_id: "shared:household",
      time_budget_ms: 40,
      top_k: 12,
      allow_cross_encoder: false,
      mmr_lambda: 0.35,
      filters: {},
      now: Date.UTC(2026, 10, 17, 18),
    };
    await recallIn(library, query, ctx, { explain: true });
  } finally {
    await library.close();
  }
}

/** Runs `npm start -- "question"`: indexes the published corpus with the real model, then searches it. */
export async function demo(question: string): Promise<void> {
  const corpus = fileURLToPath(new URL("../../../test-vectors/corpus", import.meta.url));
  const common = { db: resolve(".selfsame/demo.db"), model: "all-MiniLM-L6-v2", build: "auto" } as const;
  await indexFiles([corpus], { ...common, root: corpus });
  print("");
  await search(question, { ...common, mode: "hybrid", topK: 3 });
  print("");
  print("Next, on your own files:");
  print("  npm run selfsame -- index ~/notes --root ~/notes --db notes.db");
  print('  npm run selfsame -- search "a question" --db notes.db');
}
