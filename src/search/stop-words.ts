/**
 * Words that say little about what is searched for. Terms that are stop words are dropped if there are others.
 * SPEC §15.4
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my " +
    "no not of on or our so than that the their them then there these they this those to us was we were what when " +
    "where which who why will with would you your"
  ).split(" "),
);
