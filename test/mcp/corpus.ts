/** A folder of notes for the contract's tests: topics that meaning tells apart, words that many of them share. */

const TOPICS: readonly (readonly [string, string])[] = [
  ["cache", "The cache keeps an entry until its ttl expires; then the next read fetches it again."],
  ["database", "A database commits a transaction when the journal has reached the disk."],
  ["garden", "Tomatoes want sun, and water in the morning, near the roots and not on the leaves."],
  ["network", "A packet that is lost on the network is sent again after a timeout."],
  ["bread", "Knead the dough for ten minutes, let it rise for an hour, and bake it hot."],
  ["astronomy", "Jupiter's four large moons can be seen with a small telescope."],
  ["music", "A fugue begins with one voice that states the subject alone."],
  ["memory", "The allocator returns pages to the system when nothing uses the memory any longer."],
  ["bicycle", "Oil the chain, check the brakes, and pump the tyres before a long ride."],
  ["medicine", "The vaccine teaches the immune system to know the virus before it comes."],
  ["law", "A contract needs an offer, its acceptance, and something given in return."],
  ["weather", "Warm air that rises over the mountains cools, and its water falls as rain."],
];

/** Many notes have "note", some have "cache", one has "zanzibar". */
export const CORPUS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    TOPICS.map(([name, sentence]) => [
      `${name}.md`,
      `# ${name}\n\nA note on ${name}. ${sentence}\n\n## More on ${name}\n\n${paragraphs(name, sentence)}\n`,
    ]),
  ),
  "deep/cache/policies.md":
    "# Policies\n\n## Eviction\n\nThe least recently used cache entry goes first. Cache, cache, and cache again.\n",
  "deep/zanzibar.txt": "Ships from zanzibar carried cloves, and now and then a note.\n",
};

/** Enough text for several chunks of a document. */
function paragraphs(name: string, sentence: string): string {
  return Array.from(
    { length: 12 },
    (_, i) => `Paragraph ${i + 1} of the note on ${name}: ${sentence} It is so in case ${i + 1} as well.`,
  ).join("\n\n");
}

export const QUERIES: readonly string[] = [
  "cache ttl",
  "how do I grow vegetables?",
  "note",
  "memory is returned to the system",
  "moons of a planet",
  "zanzibar",
];
