// Sentences of a paragraph, and a test for English prose.

const NOT_AN_END = /(?:\b(?:e\.g|i\.e|etc|vs|cf|Mr|Mrs|Ms|Dr|St|No|Fig|approx|[A-Z]))\.$/;

/** Splits after . ! ? where a capital, a digit or a quote begins anew; "e.g." and initials do not end a sentence. */
export function sentences(paragraph: string): string[] {
  const out: string[] = [];
  for (const piece of paragraph.split(/(?<=[.!?]["”’)]?)\s+(?=["“‘(]?[A-Z0-9])/)) {
    const last = out.at(-1);
    if (last !== undefined && NOT_AN_END.test(last)) out[out.length - 1] = `${last} ${piece}`;
    else out.push(piece);
  }
  return out;
}

const COMMON =
  /\b(the|a|an|of|to|and|in|is|are|was|were|be|for|that|this|it|with|as|by|on|or|not|if|from|which|at|he|his|you|your|we|our|they|their)\b/gi;

/** At least five words, nine tenths letters and spaces, and some of the small words that only English has in such number. */
export function isEnglish(text: string): boolean {
  const words = text.split(" ").length;
  const plain = text.replace(/[^A-Za-z ,.'’]/g, "").length;
  const common = text.match(COMMON)?.length ?? 0;
  return (
    words >= 5 &&
    plain >= text.length * 0.9 &&
    common >= Math.max(1, words / 12) &&
    !/[{}<>=|\\]|::|\w\(\)/.test(text)
  );
}
