import type { DocumentInput } from "selfsame/browser";

const FOLDER = "../../test-vectors/corpus/";

const texts = import.meta.glob<string>("../../test-vectors/corpus/**/*", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The published corpus. test-vectors/search.json has its root and rankings. */
export function sampleNotes(): DocumentInput[] {
  return Object.entries(texts).map(([file, text]) => ({ path: file.slice(FOLDER.length), text }));
}
