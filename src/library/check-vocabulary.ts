import { counted } from "../errors/counted.ts";
import { vocabularyWords } from "../search/vocabulary-words.ts";
import { INDEX_AGAIN } from "../store/missing-row.ts";
import { type Finding, ok, problem } from "./finding.ts";
import type { LibraryParts } from "./library-parts.ts";

/** Counts the words of all chunks again and compares them with the vocabulary. SPEC §15.9 */
export function checkVocabulary({ database }: LibraryParts): Finding {
  return database.snapshot(() => {
    const counts = new Map<string, number>();
    database.each("SELECT coalesce(searchText, text), searchHeadings FROM chunks", [], (row) => {
      for (const word of vocabularyWords(row.text(0), row.text(1)))
        counts.set(word, (counts.get(word) ?? 0) + 1);
    });
    const words = counts.size;
    let wrong: string | null = null;
    database.each("SELECT word, chunks FROM words", [], (row) => {
      const word = row.text(0);
      if (counts.get(word) !== row.value(1)) wrong ??= word;
      counts.delete(word);
    });
    const [missing] = counts.keys();
    wrong ??= missing ?? null;
    if (wrong !== null)
      return problem(
        "vocabulary",
        `${JSON.stringify(wrong)} is not counted as the chunks have it`,
        INDEX_AGAIN,
      );
    return ok("vocabulary", `${counted(words, "word")}, as the chunks have them`);
  });
}
