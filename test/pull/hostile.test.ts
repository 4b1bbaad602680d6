import type { Remote } from "selfsame";
import { describe, expect, onTestFinished, test } from "vitest";
import { libraryRemote } from "#dist/library/pull/library-remote.js";
import { type Opened, openTiny } from "../library/opened.ts";
import { note, notes, roots } from "./libraries.ts";

const IS_LONG = import.meta.env.MODE === "long";
/** How many answers are falsified, one in each pull. */
const FALSIFIED = IS_LONG ? 400 : 16;

async function opened(count: number): Promise<Opened> {
  const library = await openTiny(":memory:");
  onTestFinished(() => library.library.close());
  await library.library.add(notes(count));
  return library;
}

/** A remote of which some methods are others. */
function altered({ library }: Opened, other: (true_: Remote) => Partial<Remote>): Remote {
  const remote = libraryRemote(library);
  return { ...remote, ...other(remote) };
}

const ZERO = "0".repeat(64);

describe("a remote that lies", () => {
  const LIES: readonly [string, (remote: Remote) => Partial<Remote>, string][] = [
    ["about its root", (r) => ({ head: async () => ({ ...(await r.head()), root: ZERO }) }), "BAD_REMOTE"],
    [
      "about its metadata root",
      (r) => ({ head: async () => ({ ...(await r.head()), metadataRoot: ZERO }) }),
      "BAD_REMOTE",
    ],
    [
      "with digests that are none",
      (r) => ({ head: async () => ({ ...(await r.head()), root: "x" }) }),
      "BAD_REMOTE",
    ],
    ["with nothing for a head", () => ({ head: async () => null as never }), "BAD_REMOTE"],
    [
      "about its namespace",
      (r) => ({ head: async () => ({ ...(await r.head()), namespace: "other" }) }),
      "NAMESPACE_MISMATCH",
    ],
    ["with no nodes", () => ({ nodes: async () => [] }), "BAD_REMOTE"],
    ["with nodes that are none", () => ({ nodes: async () => ["x"] as never }), "BAD_REMOTE"],
    [
      "with the nodes of the other tree",
      (r) => ({ nodes: (p, t) => r.nodes(p, t === "text" ? "metadata" : "text") }),
      "BAD_REMOTE",
    ],
    ["with no packs", () => ({ async *packs() {} }), "BAD_REMOTE"],
    [
      "with an empty pack",
      () => ({
        async *packs() {
          yield (async function* () {})();
        },
      }),
      "PACK_DAMAGED",
    ],
    [
      "with packs of other documents",
      (r) => ({ packs: (_, request) => r.packs(["0".repeat(128)], request) }),
      "BAD_REMOTE",
    ],
    [
      "with pieces that are no bytes",
      () => ({
        async *packs() {
          yield (async function* () {
            yield "x" as never;
          })();
        },
      }),
      "BAD_REMOTE",
    ],
  ];

  test.each(LIES)("%s: a typed error, and nothing is written", async (_, lie, code) => {
    const theirs = await opened(30);
    const ours = await opened(3);
    const before = await roots(ours);
    await expect(ours.library.pull(altered(theirs, lie), { mode: "mirror" })).rejects.toMatchObject({ code });
    expect(await roots(ours)).toStrictEqual(before);
  });

  test("about the path of a document that it has: the preview refuses it", async () => {
    const theirs = await opened(5);
    const ours = await opened(3);
    const remote = altered(theirs, () => ({ paths: async (ids) => ids.map(() => "../elsewhere.md") }));
    await expect(ours.library.pull(remote, { dryRun: true })).rejects.toMatchObject({ code: "BAD_REMOTE" });
  });

  test("with documents of another state than its trees announced", async () => {
    const [theirs, others, ours] = [await opened(20), await opened(20), await opened(0)];
    await others.library.add([note(3, 9)]);
    const remote = altered(theirs, () => ({
      packs: (p, request) => libraryRemote(others.library).packs(p, request),
    }));
    await expect(ours.library.pull(remote)).rejects.toMatchObject({ code: "BAD_REMOTE" });
    expect(await ours.library.documents()).toStrictEqual([]);
  });

  test("with any byte of any answer changed: a typed error or the right library", async () => {
    const theirs = await opened(24);
    await theirs.library.add([{ ...note(1), metadata: { kind: "x" } }]);
    const expected = await roots(theirs);
    let number = 0;
    const outcomes: Record<string, number> = {};
    for (let i = 0; i < FALSIFIED; i++) {
      const ours = await openTiny(":memory:");
      const remote = altered(theirs, (r) => ({
        nodes: async (prefixes, tree) =>
          (await r.nodes(prefixes, tree)).map((node) => flipped(node, i, 3, ++number)),
        async *packs(prefixes, request) {
          for await (const pack of r.packs(prefixes, request))
            yield (async function* () {
              for await (const piece of pack) yield flipped(piece, i, 2, ++number);
            })();
        },
      }));
      const code = await ours.library.pull(remote, { mode: "mirror" }).then(
        () => "same",
        (error) => String(error.code),
      );
      outcomes[code] = (outcomes[code] ?? 0) + 1;
      expect([
        "same",
        "BAD_REMOTE",
        "PACK_DAMAGED",
        "PACK_VECTORS_DIFFER",
        "CANON_MISMATCH",
        "NAMESPACE_MISMATCH",
      ]).toContain(code);
      if (code === "same") expect(await roots(ours)).toStrictEqual(expected);
      await ours.library.close();
    }
    expect(outcomes["same"] ?? 0).toBeLessThan(FALSIFIED);
  }, 600_000);
});

/** Changes one bit of one answer in `every`. */
function flipped(bytes: Uint8Array, seed: number, every: number, number: number): Uint8Array {
  if ((seed + number) % every !== 0 || bytes.length === 0) return bytes;
  const out = bytes.slice();
  const at = (seed * 7919 + number * 104729) % out.length;
  out[at]! ^= 1 << (seed % 8);
  return out;
}

describe("a remote that changes during a pull", () => {
  test("is compared again, and the pull ends with its last state", async () => {
    const [theirs, ours] = [await opened(30), await opened(0)];
    let changes = 0;
    const remote = altered(theirs, (r) => ({
      nodes: async (prefixes, tree) => {
        if (changes < 2) await theirs.library.add([note(500 + changes++)]);
        return r.nodes(prefixes, tree);
      },
    }));
    expect(await ours.library.pull(remote, { mode: "mirror" })).toMatchObject({ isSame: true });
    expect(changes).toBe(2);
    expect(await roots(ours)).toStrictEqual(await roots(theirs));
  });

  test("while its pack is made", async () => {
    const [theirs, ours] = [await opened(30), await opened(0)];
    let changes = 0;
    const remote = altered(theirs, (r) => ({
      async *packs(prefixes, request) {
        if (changes === 0) await theirs.library.add([note(3, ++changes)]);
        yield* r.packs(prefixes, request);
      },
    }));
    expect(await ours.library.pull(remote, { mode: "mirror" })).toMatchObject({ isSame: true });
    expect(await roots(ours)).toStrictEqual(await roots(theirs));
  });

  test("all the time: an error, and the library is whole", async () => {
    const [theirs, ours] = [await opened(10), await opened(2)];
    let changes = 0;
    const remote = altered(theirs, (r) => ({
      nodes: async (prefixes, tree) => {
        await theirs.library.add([note(500 + changes++)]);
        return r.nodes(prefixes, tree);
      },
    }));
    await expect(ours.library.pull(remote, { mode: "mirror" })).rejects.toMatchObject({ code: "BAD_REMOTE" });
    expect((await ours.library.check({ full: true })).isSound).toBe(true);
  });

  test("a local write between comparison and import is kept", async () => {
    const [theirs, ours] = [await opened(10), await opened(10)];
    await ours.library.pull(theirs.library, { name: "theirs" });
    await theirs.library.add([note(1, 1), note(50)]);
    let isWritten = false;
    const remote = altered(theirs, (r) => ({
      async *packs(prefixes, request) {
        if (!isWritten)
          await ours.library.add([note(60), { ...note(1), text: "# Ours\n", modifiedAt: 9_000_000 }]);
        isWritten = true;
        yield* r.packs(prefixes, request);
      },
    }));
    const report = await ours.library.pull(remote, { name: "theirs" });
    expect(report).toMatchObject({ conflicts: 1, added: 1 });
    expect((await ours.library.document(note(60).path)) !== null).toBe(true);
    expect((await ours.library.document(note(1).path))!.text).toBe("# Ours\n");
    // It is still known as ours: a pull does not take it for deleted there.
    await ours.library.pull(theirs.library, { name: "theirs" });
    expect((await ours.library.document(note(60).path)) !== null).toBe(true);
  });
});

describe("a pull that is stopped", () => {
  test("leaves a whole library and goes on where it was", async () => {
    const theirs = await opened(60);
    const ours = await opened(0);
    const stop = new AbortController();
    const remote = altered(theirs, (r) => ({
      async *packs(prefixes, request) {
        for await (const pack of r.packs(prefixes, request))
          yield (async function* () {
            for await (const piece of pack) {
              yield piece;
              stop.abort();
            }
          })();
      },
    }));
    await expect(ours.library.pull(remote, { signal: stop.signal })).rejects.toMatchObject({
      code: "ABORTED",
    });
    expect((await ours.library.check({ full: true })).isSound).toBe(true);
    expect(await ours.library.pull(theirs.library)).toMatchObject({ isSame: true });
  });
});

describe("what is remembered", () => {
  test("at most 16 remotes, the oldest forgotten first, and check knows them", async () => {
    const [theirs, ours] = [await opened(5), await opened(5)];
    for (let i = 0; i < 20; i++) await ours.library.pull(theirs.library, { name: `remote ${i}` });
    const names = ours.parts.database.all<{ remoteName: string }>(
      "SELECT remoteName FROM remotes ORDER BY pulledAt",
    );
    expect(names.map(({ remoteName }) => remoteName)).toStrictEqual(
      Array.from({ length: 16 }, (_, i) => `remote ${i + 4}`),
    );
    const trees = ours.parts.database.all("SELECT DISTINCT tree FROM nodes");
    expect(trees).toHaveLength(2 + 2 * 16);
    const finding = async () =>
      (await ours.library.check()).findings.find(({ subject }) => subject === "remotes");
    expect(await finding()).toMatchObject({ verdict: "ok" });
    ours.parts.database.run(
      "UPDATE nodes SET record = x'' WHERE tree LIKE 'text/%' AND tree = (SELECT max(tree) FROM nodes)",
    );
    expect(await finding()).toMatchObject({ verdict: "problem" });
    ours.parts.database.run("DELETE FROM remotes");
    expect(await finding()).toMatchObject({ verdict: "problem" });
  });
});
