/** A pack is hostile until it is proven right: wrong vectors, wrong signatures, damage anywhere. SPEC §27.5, §27.6 and §27.7 */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { LaterVerification } from "#dist/library/packs/later-verification.js";
import { Reservoir } from "#dist/library/packs/reservoir.js";
import { type Opened, openTiny } from "../library/opened.ts";
import { sampleChunks } from "../library/outside-sample.ts";
import { libraryWith, packOf } from "./packed.ts";

const long = import.meta.env.MODE === "long";
const open: Opened[] = [];
afterEach(async () => {
  for (const { library } of open.splice(0)) await library.close();
});

async function empty(): Promise<Opened> {
  const opened = await openTiny(":memory:");
  open.push(opened);
  return opened;
}

async function filled(count: number): Promise<Opened> {
  const opened = await libraryWith(count);
  open.push(opened);
  return opened;
}

/** A pack in which one bit of one vector is wrong, all digests being right. */
async function wrongPack(count: number): Promise<{ pack: Uint8Array; textHash: string }> {
  const { library, parts } = await filled(count);
  const [{ textHash, vector }] = parts.database.all<{ textHash: Uint8Array; vector: Uint8Array }>(
    "SELECT textHash, vector FROM embeddings ORDER BY textHash LIMIT 1",
  ) as [{ textHash: Uint8Array; vector: Uint8Array }];
  const wrong = vector.slice();
  wrong[0]! ^= 1;
  parts.database.run("UPDATE embeddings SET vector = ? WHERE textHash = ?", [wrong, textHash]);
  return { pack: await packOf(library), textHash: Buffer.from(textHash).toString("hex") };
}

describe("vectors", () => {
  it("that differ in one bit refuse the pack, which changes nothing", async () => {
    const { pack, textHash } = await wrongPack(5); // 11 texts or fewer: all of them are in the sample
    const { library } = await empty();
    const before = await library.stats();
    for (const verify of ["sample", "all"] as const)
      await expect(library.importPack(pack, { verify })).rejects.toMatchObject({
        code: "PACK_VECTORS_DIFFER",
        details: { textHash },
      });
    expect(await library.stats()).toMatchObject({ ...before, index: expect.anything() });
    expect(before.embeddings).toBe(0);
  });

  it("are compared with those that were computed here, whatever is asked for", async () => {
    const { pack } = await wrongPack(40);
    const { library } = await filled(40);
    await expect(library.importPack(pack, { verify: "none" })).rejects.toMatchObject({
      code: "PACK_VECTORS_DIFFER",
    });
  });

  it("are counted as verified or not", async () => {
    const { library: source } = await filled(30);
    const pack = await packOf(source);
    const { library } = await empty();
    const { verified, vectors } = await library.importPack(pack);
    expect(verified).toBe(16);
    expect((await library.stats()).unverifiedEmbeddings).toBe(vectors - verified);
    const { library: careful } = await empty();
    const all = await careful.importPack(pack, { verify: "all" });
    expect(all.verified).toBe(all.vectors);
    expect((await careful.stats()).unverifiedEmbeddings).toBe(0);
  });

  it("are verified later, and a wrong one sets all of its pack aside until they are computed here", async () => {
    const { library: right } = await filled(30);
    const { pack } = await wrongPack(30);
    const { library, parts } = await empty();
    await library.importPack(pack, { verify: "none" });
    const { receipt } = await right.search("ties number 7", { mode: "semantic" });
    await library.search("ties number 7", { mode: "semantic" });
    expect((await library.stats()).unverifiedEmbeddings).toBeGreaterThan(30);
    const later = new LaterVerification(parts);
    await later.verify();
    const warned = await library.search("ties number 7");
    expect(warned.warnings.join()).toContain("a pack brought a wrong vector");
    await later.close();
    const { repairVectors } = await import("#dist/library/packs/quarantine.js");
    while ((await repairVectors(parts)) > 0);
    const answer = await library.search("ties number 7", { mode: "semantic" });
    expect(answer.warnings).toEqual([]);
    expect(answer.receipt).toEqual(receipt);
    expect((await library.stats()).unverifiedEmbeddings).toBe(0);
    expect((await library.check({ full: true })).isSound).toBe(true);
  });

  it("that are here from another pack and wrong are found out by a right one", async () => {
    const { pack } = await wrongPack(30);
    const { library: source } = await filled(30);
    const { library, parts } = await empty();
    await library.importPack(pack, { verify: "none" });
    await library.importPack(await packOf(source));
    const { vectorsAside } = await import("#dist/library/vectors-epoch.js");
    expect(vectorsAside(parts.database)).not.toBeNull();
  });

  it("of a sample are chosen with equal chances", () => {
    const counts = new Array<number>(20).fill(0);
    let state = 1;
    const below = (count: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * count);
    };
    for (let run = 0; run < 4000; run++) {
      const sample = new Reservoir<number>(5, below);
      for (let i = 0; i < 20; i++) sample.offer(() => i);
      expect(new Set(sample.items).size).toBe(5);
      for (const i of sample.items) counts[i]!++;
    }
    // 1,000 each; four standard deviations are 110.
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(130);
  });
});

describe("signatures", () => {
  const pair = () => {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    return {
      secret: privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
      shown: publicKey.export({ format: "pem", type: "spki" }).toString(),
      hex: publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("hex"),
    };
  };

  it("are made and checked with keys of OpenSSL's form, hexadecimal digits and bytes", async () => {
    const { library } = await filled(3);
    const { secret, shown, hex } = pair();
    const pack = await packOf(library, { sign: secret });
    for (const key of [shown, hex, Uint8Array.from(Buffer.from(hex, "hex"))]) {
      const { library: other } = await empty();
      expect((await other.importPack(pack, { requireSignature: key })).signedBy).toBe(hex);
    }
    const seed = Uint8Array.from(randomBytes(32));
    expect(await packOf(library, { sign: seed })).toEqual(
      await packOf(library, { sign: Buffer.from(seed).toString("hex") }),
    );
  });

  it("that are missing, by another key or wrong are refused", async () => {
    const { library } = await filled(3);
    const [mine, other] = [pair(), pair()];
    const { library: target } = await empty();
    const refused = { code: "PACK_SIGNATURE" };
    const unsigned = await packOf(library);
    await expect(target.importPack(unsigned, { requireSignature: mine.hex })).rejects.toMatchObject(refused);
    const signed = await packOf(library, { sign: other.secret });
    await expect(target.importPack(signed, { requireSignature: mine.hex })).rejects.toMatchObject(refused);
    // The signature of another pack, in a section with a right digest.
    await library.add([{ path: "more.md", text: "More." }]);
    const more = await packOf(library, { sign: other.secret });
    const forged = Uint8Array.from(Buffer.concat([signed.subarray(0, -140), more.subarray(-140)]));
    await expect(target.importPack(forged)).rejects.toMatchObject(refused);
    expect((await target.stats()).documents).toBe(0);
    for (const sign of ["short", new Uint8Array(31), mine.shown])
      await expect(packOf(library, { sign })).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  });
});

describe("a damaged pack", () => {
  const CODES = [
    "PACK_DAMAGED",
    "PACK_SIGNATURE",
    "CANON_MISMATCH",
    "NAMESPACE_MISMATCH",
    "PACK_VECTORS_DIFFER",
  ];

  it("is a typed error, whatever is changed, and nothing is written", async () => {
    const { library } = await filled(6);
    const pack = await packOf(library, { sign: "11".repeat(32) });
    const { library: target } = await empty();
    const { root, embeddings } = await target.stats();
    const position = fc.nat({ max: pack.length - 1 });
    const mutation = fc.oneof(
      fc.record({ kind: fc.constant("flip" as const), at: position, to: fc.integer({ min: 1, max: 255 }) }),
      fc.record({ kind: fc.constant("cut" as const), at: position, to: fc.constant(0) }),
      fc.record({ kind: fc.constant("insert" as const), at: position, to: fc.nat({ max: 255 }) }),
      fc.record({ kind: fc.constant("remove" as const), at: position, to: fc.integer({ min: 1, max: 600 }) }),
      fc.record({ kind: fc.constant("repeat" as const), at: position, to: fc.integer({ min: 1, max: 600 }) }),
      fc.record({
        kind: fc.constant("size" as const),
        at: position,
        to: fc.integer({ min: 0, max: 2 ** 31 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 3 }), async (mutations) => {
        let bytes = Buffer.from(pack);
        for (const { kind, at, to } of mutations) {
          const from = Math.min(at, bytes.length);
          const [head, tail] = [bytes.subarray(0, from), bytes.subarray(from)];
          if (kind === "flip" && tail.length > 0) tail[0]! ^= to;
          else if (kind === "cut") bytes = Buffer.from(head);
          else if (kind === "insert") bytes = Buffer.concat([head, Uint8Array.of(to), tail]);
          else if (kind === "remove") bytes = Buffer.concat([head, tail.subarray(to)]);
          else if (kind === "repeat") bytes = Buffer.concat([head, tail.subarray(0, to), tail]);
          else if (kind === "size" && tail.length >= 4) tail.writeUInt32LE(to, 0);
        }
        if (bytes.equals(pack)) return;
        const error = await target.importPack(Uint8Array.from(bytes), { verify: "none" }).then(
          () => null,
          (reason) => reason,
        );
        // Bits of a deflated section that decide nothing may differ.
        if (error === null) {
          await target.remove((await target.documents()).map(({ path }) => path));
          return;
        }
        expect(CODES).toContain(error.code);
        expect((await target.stats()).root).toBe(root);
      }),
      { numRuns: long ? 6000 : 600 },
    );
    expect(embeddings).toBe(0);
  }, 600_000);

  it("whose digests are right is a typed error, too, whatever its contents are", async () => {
    const { encodeSection, readSection } = await import("#dist/packs/section.js");
    const { ByteReader } = await import("#dist/packs/byte-reader.js");
    const { PackDigest, MAGIC } = await import("#dist/packs/pack-digest.js");
    const { library, parts } = await filled(4);
    await library.ingest(sampleChunks(6, 0));
    const pack = await packOf(library);
    async function* rest() {
      yield pack.subarray(MAGIC.length);
    }
    const reader = new ByteReader(rest());
    const sections: Awaited<ReturnType<typeof readSection>>[] = [];
    while (!(await reader.isAtEnd())) sections.push(await readSection(parts.engine, reader));
    sections.pop(); // the end
    const { library: target } = await empty();
    const { root } = await target.stats();
    const change = fc.record({
      section: fc.nat({ max: sections.length - 1 }),
      at: fc.nat({ max: 4000 }),
      by: fc.integer({ min: 1, max: 255 }),
      size: fc.constantFrom(0, 0, 0, 1, 4, -1, -4),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 2 }), async (changes) => {
        const contents = sections.map(({ bytes }) => Buffer.from(bytes));
        for (const { section, at, by, size } of changes) {
          const bytes = contents[section]!;
          const from = at % bytes.length;
          bytes[from]! ^= by;
          if (size > 0)
            contents[section] = Buffer.concat([
              bytes.subarray(0, from),
              Buffer.alloc(size, by),
              bytes.subarray(from),
            ]);
          if (size < 0)
            contents[section] = Buffer.concat([bytes.subarray(0, from), bytes.subarray(from - size)]);
        }
        const digest = new PackDigest(parts.engine);
        const framed = sections.map(({ kind }, i) => {
          const { stored, digest: of } = encodeSection(parts.engine, kind, contents[i]!);
          digest.add(of);
          return stored;
        });
        const end = encodeSection(parts.engine, "end", digest.bytes).stored;
        const bytes = Uint8Array.from(Buffer.concat([MAGIC, ...framed, end]));
        const error = await target.importPack(bytes, { verify: "none" }).then(
          () => null,
          (reason) => reason,
        );
        // A vector that is only wrong is for the verification to find.
        if (error === null) await target.remove((await target.documents()).map(({ path }) => path));
        else expect([...CODES, "OUT_OF_MEMORY"]).toContain(error.code);
        expect((await target.stats()).root).toBe(root);
      }),
      { numRuns: long ? 3000 : 200 },
    );
  }, 600_000);

  it("that inflates to more than it says, or says more than it has, is refused before it is held", async () => {
    const { deflateSync } = await import("fflate");
    const { readSection } = await import("#dist/packs/section.js");
    const { ByteReader } = await import("#dist/packs/byte-reader.js");
    const { parts } = await empty();
    const bomb = deflateSync(new Uint8Array(1 << 26), { level: 9 });
    const section = (kind: number, size: number, stored: Uint8Array, said = stored.length) => {
      const frame = Buffer.alloc(44);
      frame.writeUInt8(kind, 0);
      frame.writeUInt8(kind === 2 ? 1 : 0, 1);
      frame.writeUInt32LE(size, 4);
      frame.writeUInt32LE(said, 8);
      return Buffer.concat([frame, stored]);
    };
    const read = async (bytes: Uint8Array) => {
      async function* once() {
        yield bytes;
      }
      return readSection(parts.engine, new ByteReader(once()));
    };
    for (const bytes of [
      section(2, 70_000, bomb),
      section(2, 0xffff_ffff, bomb),
      section(2, 1 << 28, bomb.subarray(0, 100)),
      section(3, 1 << 28, new Uint8Array(10), 1 << 28),
      section(1, 1 << 21, new Uint8Array(1 << 21)),
      section(2, 1000, new Uint8Array(0)),
    ])
      await expect(read(bytes)).rejects.toMatchObject({ code: "PACK_DAMAGED" });
  });

  it("that changes between its two readings is refused", async () => {
    const [{ library: first }, { library: second }] = [await filled(4), await filled(5)];
    const packs = [await packOf(first), await packOf(second)];
    const { library } = await empty();
    let readings = 0;
    const refused = library.importPack(async function* () {
      yield packs[readings++]!;
    });
    await expect(refused).rejects.toMatchObject({ code: "PACK_DAMAGED" });
    expect((await library.stats()).documents).toBe(0);
  });

  it("is any other value, too", async () => {
    const { library } = await empty();
    for (const source of [null, 7, "pack", {}, []])
      await expect(library.importPack(source as never)).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
    await expect(library.importPack(new Uint8Array(3))).rejects.toMatchObject({ code: "PACK_DAMAGED" });
    await expect(library.importPack(new Uint8Array(3), { verify: "some" as never })).rejects.toMatchObject({
      code: "BAD_ARGUMENT",
    });
  });
});
