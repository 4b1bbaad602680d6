import fc from "fast-check";
import { expect, it } from "vitest";
import { shardPrefixes } from "#dist/cluster/layout.js";

const long = import.meta.env.MODE === "long";

/** Documents as ids of 8 bits, each with its weight. */
const documents = fc.uniqueArray(
  fc.record({ id: fc.integer({ min: 0, max: 255 }), weight: fc.integer({ min: 1, max: 9 }) }),
  { selector: ({ id }) => id, maxLength: 60 },
);

it("covers every document once, with the fewest shards that are small enough, and never cuts a segment", async () => {
  await fc.assert(
    fc.asyncProperty(
      documents,
      fc.integer({ min: 1, max: 30 }),
      fc.option(fc.integer({ min: 1, max: 60 }), { nil: null }),
      async (all, shardChunks, segment) => {
        const bits = (id: number) => id.toString(2).padStart(8, "0").padEnd(128, "0");
        const below = (prefix: string) => all.filter(({ id }) => bits(id).startsWith(prefix));
        const weight = (prefix: string) => below(prefix).reduce((sum, each) => sum + each.weight, 0);
        const isSegment = (prefix: string) => segment !== null && weight(prefix) <= segment;
        const prefixes = await shardPrefixes({
          shardChunks,
          weight: async (prefix) => weight(prefix),
          isOneDocument: async (prefix) => below(prefix).length <= 1,
          isSegment: async (prefix) => isSegment(prefix),
        });
        expect(prefixes).toEqual([...prefixes].sort());
        for (const { id } of all)
          expect(prefixes.filter((prefix) => bits(id).startsWith(prefix)).length).toBe(1);
        const fits = (prefix: string) =>
          weight(prefix) <= shardChunks || below(prefix).length <= 1 || isSegment(prefix);
        for (const prefix of prefixes) {
          expect(fits(prefix)).toBe(true);
          // No shorter prefix would do: in particular no segment is divided.
          for (let length = 0; length < prefix.length; length++)
            expect(fits(prefix.slice(0, length))).toBe(false);
        }
        if (all.length === 0) expect(prefixes).toEqual([""]);
      },
    ),
    { numRuns: long ? 2000 : 200 },
  );
});
