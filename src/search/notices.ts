import type { SearchAnswer } from "./answer.ts";

/**
 * Returns what a person should know about an answer before its results, in sentences: that nothing is close, that a word
 * was replaced, or that the query has only common words. Warnings are separate.
 *
 * @example
 * for (const notice of noticesOf(answer)) console.log(notice);
 */
export function noticesOf({
  nothingClose,
  corrections,
  onlyStopWords,
  results,
}: Omit<SearchAnswer, "receipt">): string[] {
  const notices: string[] = [];
  if (nothingClose) notices.push("Nothing here is close to this question; the nearest are:");
  if (corrections.length > 0) {
    const to = corrections.map((each) => `“${each.to}”`).join(", ");
    const from = corrections.map((each) => `“${each.from}”`).join(", ");
    notices.push(
      `Showing results for ${to}: no document has ${from}. Quote a word to search for it as it is.`,
    );
  }
  if (onlyStopWords && results.length > 0)
    notices.push("All words of this query are common ones, which say little. Add a word that is particular.");
  return notices;
}
