import fc from "fast-check";
import { expect, it } from "vitest";
import { holdersOf } from "#dist/cluster/placement.js";
import { loadBuild } from "../engine/engines.ts";
import { hash } from "../reference/identity.ts";

const long = import.meta.env.MODE === "long";
const engine = loadBuild("simd");
const utf8 = (text: string) => new TextEncoder().encode(text);
const prefixes = fc.string({ unit: fc.constantFrom("0", "1"), maxLength: 12 });
const servers = fc.uniqueArray(fc.stringMatching(/^[a-z0-9-]{1,8}$/), { minLength: 1, maxLength: 9 });
const runs = { numRuns: long ? 2000 : 200 };

it("is that of SPEC, by the reference", () => {
  fc.assert(
    fc.property(prefixes, servers, fc.integer({ min: 1, max: 4 }), (prefix, all, replicas) => {
      const score = (server: string) =>
        Buffer.from(hash("placement", utf8(prefix), utf8(server))).toString("hex");
      const expected = [...all].sort((a, b) => (score(a) > score(b) ? -1 : 1)).slice(0, replicas);
      expect(holdersOf(engine, prefix, all, replicas)).toEqual(expected);
    }),
    runs,
  );
});

it("does not depend on the order of the servers, and a server that goes moves only its own shards", () => {
  fc.assert(
    fc.property(
      prefixes,
      servers,
      fc.integer({ min: 1, max: 4 }),
      fc.nat(),
      (prefix, all, replicas, which) => {
        const holders = holdersOf(engine, prefix, all, replicas);
        expect(holdersOf(engine, prefix, [...all].reverse(), replicas)).toEqual(holders);
        const gone = all[which % all.length]!;
        const rest = holdersOf(
          engine,
          prefix,
          all.filter((server) => server !== gone),
          replicas,
        );
        expect(rest).toEqual(expect.arrayContaining(holders.filter((server) => server !== gone)));
        if (!holders.includes(gone)) expect(rest).toEqual(holders);
      },
    ),
    runs,
  );
});

it("gives each server about its share", () => {
  const all = ["a", "b", "c", "d"];
  const counts = new Map(all.map((server) => [server, 0]));
  for (let i = 0; i < 1024; i++) {
    const prefix = i.toString(2).padStart(10, "0");
    for (const server of holdersOf(engine, prefix, all, 2)) counts.set(server, counts.get(server)! + 1);
  }
  for (const count of counts.values()) expect(Math.abs(count - 512)).toBeLessThan(80);
});
