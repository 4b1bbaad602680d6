import { resolve } from "node:path";
import { indexFiles } from "./index-files.ts";
import { placeFolder } from "./location.ts";
import { print } from "./output.ts";
import { search } from "./search.ts";

/** `npm start -- "question"`: indexes this project's own documents with the real model, then searches them. */
export async function demo(question: string): Promise<void> {
  placeFolder(resolve(".selfsame"));
  const db = resolve(".selfsame/demo.db");
  const common = { db, model: "all-MiniLM-L6-v2", build: "auto" } as const;
  const documents = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SPEC.md",
    "docs",
    "test-vectors/README.md",
  ];
  await indexFiles(documents, { ...common, root: "." });
  print("");
  await search(question, { ...common, mode: "hybrid", topK: 3 });
}
