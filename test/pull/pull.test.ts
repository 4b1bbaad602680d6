import { describe, expect, onTestFinished, test } from "vitest";
import { type Opened, openTiny } from "../library/opened.ts";
import { note, notes, pair, paths, roots } from "./libraries.ts";

async function closed(...opened: Opened[]): Promise<void> {
  for (const { library } of opened) await library.close();
}

describe("mirror", () => {
  test("makes an empty library equal, without embedding what came with a vector", async () => {
    const [ours, theirs] = [await openTiny(":memory:"), await openTiny(":memory:")];
    onTestFinished(() => closed(ours, theirs));
    await theirs.library.add(notes(60));
    const events: string[] = [];
    const report = await ours.library.pull(theirs.library, {
      mode: "mirror",
      onProgress: ({ step, documents, documentsTotal }) =>
        events.push(`${step} ${documents}/${documentsTotal}`),
    });
    expect(report).toMatchObject({
      added: 60,
      updated: 0,
      removed: 0,
      conflicts: 0,
      embedded: 0,
      isSame: true,
    });
    expect(report.vectors).toBeGreaterThanOrEqual(60);
    expect(report.verified).toBeGreaterThanOrEqual(16);
    expect(events[0]).toBe("comparing 0/0");
    expect(events.at(-1)).toBe("removing 60/60");
    expect(await roots(ours)).toStrictEqual(await roots(theirs));
    const [a, b] = [await ours.library.search("pages read"), await theirs.library.search("pages read")];
    expect(a.receipt).toStrictEqual(b.receipt);
    expect(
      (await ours.library.check({ full: true })).findings.filter(({ verdict }) => verdict === "problem"),
    ).toEqual([]);
  });

  test("brings over additions, changes, removals, times and metadata alone, and nothing else", async () => {
    const { ours, theirs } = await pair(80);
    onTestFinished(() => closed(ours, theirs));
    await theirs.library.add([
      note(100),
      note(3, 1),
      { ...note(4), modifiedAt: 5 },
      { ...note(5), metadata: { a: "b" } },
    ]);
    await theirs.library.remove([note(6).path]);
    await ours.library.add([note(200)]);
    await ours.library.remove([note(7).path]);
    const report = await ours.library.pull(theirs.library, { mode: "mirror" });
    expect(report.changes.map(({ path, change }) => `${change} ${path}`).sort()).toStrictEqual([
      "added notes/00007.md",
      "added notes/00100.md",
      "metadata notes/00004.md",
      "metadata notes/00005.md",
      "removed notes/00006.md",
      "removed notes/00200.md",
      "updated notes/00003.md",
    ]);
    expect(report).toMatchObject({ added: 2, updated: 3, removed: 2, isSame: true, ahead: 0 });
    expect(await roots(ours)).toStrictEqual(await roots(theirs));
    const again = await ours.library.pull(theirs.library, { mode: "mirror" });
    expect(again).toMatchObject({ changes: [], bytes: 0, isSame: true });
  });

  test("only says what it would do with dryRun", async () => {
    const { ours, theirs } = await pair(20);
    onTestFinished(() => closed(ours, theirs));
    await theirs.library.add([note(50), note(1, 1)]);
    await ours.library.add([note(60)]);
    const before = await roots(ours);
    const options = { mode: "mirror", dryRun: true } as const;
    const report = await ours.library.pull(theirs.library, options);
    expect(report.changes.map(({ path, change }) => `${change} ${path}`).sort()).toStrictEqual([
      "added notes/00050.md",
      "removed notes/00060.md",
      "updated notes/00001.md",
    ]);
    expect(report).toMatchObject({ bytes: 0, isSame: false });
    expect(await roots(ours)).toStrictEqual(before);
  });
});

describe("merge", () => {
  test("keeps what only this library changed, and takes what only the other one did", async () => {
    const { ours, theirs } = await pair(40);
    onTestFinished(() => closed(ours, theirs));
    await ours.library.pull(theirs.library, { name: "theirs" });
    await theirs.library.pull(ours.library, { name: "ours" });
    await ours.library.add([note(100), note(1, 1)]);
    await ours.library.remove([note(2).path]);
    await theirs.library.add([note(200), note(3, 1)]);
    await theirs.library.remove([note(4).path]);
    const report = await ours.library.pull(theirs.library, { name: "theirs" });
    expect(report).toMatchObject({ added: 1, updated: 1, removed: 1, conflicts: 0, ahead: 3, isSame: false });
    const expected = new Set(notes(40).map(({ path }) => path));
    for (const gone of [2, 4]) expected.delete(note(gone).path);
    for (const more of [100, 200]) expected.add(note(more).path);
    expect(await paths(ours)).toStrictEqual([...expected].sort());
    // The other side pulls in turn: then both are equal, and nothing that was deleted comes back.
    const back = await theirs.library.pull(ours.library, { name: "ours" });
    expect(back).toMatchObject({ added: 1, updated: 1, removed: 1, conflicts: 0, ahead: 0, isSame: true });
    expect(await roots(theirs)).toStrictEqual(await roots(ours));
  });

  test("of two that pull from each other in turns: deletions stay deletions", async () => {
    const { ours, theirs } = await pair(30);
    onTestFinished(() => closed(ours, theirs));
    const sync = async () => {
      await ours.library.pull(theirs.library, { name: "theirs" });
      await theirs.library.pull(ours.library, { name: "ours" });
      expect(await roots(ours)).toStrictEqual(await roots(theirs));
    };
    await sync();
    await ours.library.remove([note(1).path, note(2).path]);
    await theirs.library.remove([note(3).path]);
    await sync();
    expect(await paths(ours)).toHaveLength(27);
    await theirs.library.add([note(1, 7)]);
    await sync();
    expect(await paths(ours)).toHaveLength(28);
    await theirs.library.remove([note(1).path]);
    await sync();
    expect(await paths(ours)).toHaveLength(27);
  });

  test("without a name remembers nothing: both sides' documents are kept", async () => {
    const { ours, theirs } = await pair(10);
    onTestFinished(() => closed(ours, theirs));
    await ours.library.pull(theirs.library);
    await theirs.library.remove([note(1).path]);
    await ours.library.pull(theirs.library);
    expect(await paths(ours)).toHaveLength(10);
    expect(ours.parts.database.get("SELECT count(*) AS count FROM remotes")!["count"]).toBe(0);
  });
});

describe("a document that both sides changed", () => {
  async function diverged() {
    const { ours, theirs } = await pair(12);
    onTestFinished(() => closed(ours, theirs));
    await ours.library.pull(theirs.library, { name: "theirs" });
    await theirs.library.pull(ours.library, { name: "ours" });
    await ours.library.add([{ ...note(1), text: "# One\n\nOurs.\n", modifiedAt: 5_000_000 }]);
    await theirs.library.add([{ ...note(1), text: "# One\n\nTheirs.\n", modifiedAt: 6_000_000 }]);
    return { ours, theirs };
  }
  const text = async ({ library }: Opened, path = note(1).path) => (await library.document(path))?.text;

  test("ours, theirs", async () => {
    const { ours, theirs } = await diverged();
    expect(
      await ours.library.pull(theirs.library, { name: "theirs", conflicts: "ours", dryRun: true }),
    ).toMatchObject({
      conflicts: 1,
      changes: [{ path: note(1).path, change: "kept", isConflict: true }],
    });
    expect(await ours.library.pull(theirs.library, { name: "theirs", conflicts: "ours" })).toMatchObject({
      conflicts: 1,
      ahead: 1,
      bytes: 0,
    });
    expect(await text(ours)).toBe("# One\n\nOurs.\n");
    // It was decided: the same versions are no conflict again.
    expect(await ours.library.pull(theirs.library, { name: "theirs", conflicts: "theirs" })).toMatchObject({
      conflicts: 0,
      changes: [],
    });
    expect(await theirs.library.pull(ours.library, { name: "ours", conflicts: "theirs" })).toMatchObject({
      conflicts: 1,
    });
    expect(await text(theirs)).toBe("# One\n\nOurs.\n");
    expect(await roots(ours)).toStrictEqual(await roots(theirs));
  });

  test("both: the newer one keeps the path, on whichever device", async () => {
    const { ours, theirs } = await diverged();
    const [first, second] = [
      await ours.library.pull(theirs.library, { name: "theirs" }),
      await theirs.library.pull(ours.library, { name: "ours" }),
    ];
    const { copy } = first.changes[0]!;
    expect(copy).toMatch(/^notes\/00001\.conflict-[0-9a-f]{12}\.md$/);
    expect(await text(ours)).toBe("# One\n\nTheirs.\n");
    expect(await text(ours, copy!)).toBe("# One\n\nOurs.\n");
    expect(second).toMatchObject({ added: 1, isSame: true });
    expect(await roots(ours)).toStrictEqual(await roots(theirs));
  });

  test("both, decided on both devices at once, gives the same library", async () => {
    const { ours, theirs } = await diverged();
    const before = await openTiny(":memory:");
    onTestFinished(() => closed(before));
    await before.library.pull(theirs.library, { mode: "mirror" });
    await ours.library.pull(theirs.library, { name: "theirs" });
    // The other device merges what this one had before it merged.
    const early = await openTiny(":memory:");
    onTestFinished(() => closed(early));
    await early.library.add(
      [...notes(12), { ...note(1), text: "# One\n\nOurs.\n", modifiedAt: 5_000_000 }].slice(2),
    );
    await early.library.add([note(0)]);
    await theirs.library.pull(early.library, { name: "ours" });
    expect(await roots(theirs)).toStrictEqual(await roots(ours));
  });

  test("a function decides, with both texts", async () => {
    const { ours, theirs } = await diverged();
    const seen: unknown[] = [];
    await ours.library.pull(theirs.library, {
      name: "theirs",
      conflicts: async ({ path, ours: a, theirs: b }) => {
        seen.push([path, a?.text(), a?.modifiedAt, b?.text(), b?.modifiedAt]);
        return "theirs" as const;
      },
    });
    expect(seen).toStrictEqual([
      [note(1).path, "# One\n\nOurs.\n", 5_000_000, "# One\n\nTheirs.\n", 6_000_000],
    ]);
    expect(await text(ours)).toBe("# One\n\nTheirs.\n");
    const wrong = ours.library.pull(theirs.library, { conflicts: (() => "neither") as never });
    await expect(wrong).resolves.toMatchObject({ conflicts: 0 });
  });

  test.each([
    ["both", true, true],
    ["ours", false, true],
    ["theirs", true, false],
  ] as const)("changed on one side and deleted on the other: %s", async (conflicts, isBack, isKept) => {
    const { ours, theirs } = await pair(12);
    onTestFinished(() => closed(ours, theirs));
    await ours.library.pull(theirs.library, { name: "theirs" });
    await ours.library.remove([note(1).path]);
    await theirs.library.add([note(1, 1)]);
    await ours.library.add([note(2, 1)]);
    await theirs.library.remove([note(2).path]);
    const report = await ours.library.pull(theirs.library, { name: "theirs", conflicts });
    expect(report.conflicts).toBe(2);
    expect((await text(ours)) !== undefined).toBe(isBack);
    expect((await text(ours, note(2).path)) !== undefined).toBe(isKept);
    const asked: string[] = [];
    await ours.library.pull(theirs.library, {
      conflicts: ({ path }) => {
        asked.push(path);
        return "ours";
      },
    });
    expect(asked).toStrictEqual([]);
  });
});
