import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { print } from "../output.ts";
import { indexFiles } from "./index.run.ts";
import { search } from "./search.run.ts";

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
