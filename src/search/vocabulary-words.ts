import { beginPass, eachKnownWord } from "./known-words.ts";

/** Returns the distinct words of a chunk as the vocabulary holds them. SPEC §15.9 */
export function vocabularyWords(...searchTexts: readonly string[]): Set<string> {
  const pass = beginPass();
  const words = new Set<string>();
  for (const text of searchTexts) {
    eachKnownWord(text, (word) => {
      if (word.pass === pass) return;
      word.pass = pass;
      if (word.vocabulary !== null) words.add(word.vocabulary);
    });
  }
  return words;
}
