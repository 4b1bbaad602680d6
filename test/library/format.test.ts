import { open } from "selfsame";
import { describe, expect, test } from "vitest";
import { openTiny, TINY } from "./opened.ts";
import { stateOf } from "./state.ts";

const TEXT = "# Ties\n\nEqual scores stand by path.\n\n## Order\n\nBytes decide.\n";

describe("the format of a document", () => {
  test("is that of its extension, or the one that is given, and decides how its text is cut", async () => {
    const library = await open(":memory:", TINY);
    await library.add([
      { path: "a.md", text: TEXT },
      { path: "a.html", text: TEXT, format: "markdown" },
      { path: "b.html", text: TEXT },
      { path: "a.txt", text: TEXT, format: null },
    ]);
    const formats = (await library.documents()).map(({ path, format }) => [path, format]);
    expect(formats).toStrictEqual([
      ["a.html", "markdown"],
      ["a.md", "markdown"],
      ["a.txt", "plain"],
      ["b.html", "code"],
    ]);
    const headings = async (path: string) => (await library.chunks(path)).map((chunk) => chunk.headingPath);
    expect(await headings("a.html")).toStrictEqual([["Ties"], ["Ties", "Order"]]);
    expect(await headings("a.html")).toStrictEqual(await headings("a.md"));
    expect(await headings("b.html")).toStrictEqual([[]]);
    await library.close();
  });

  test("is part of the root: another format is another document", async () => {
    const opened = await openTiny(":memory:");
    const { library } = opened;
    await library.add([{ path: "x.html", text: TEXT }]);
    const asCode = await library.root();
    expect(await library.add([{ path: "x.html", text: TEXT, format: "code" }])).toMatchObject({
      unchanged: 1,
    });
    expect(await library.add([{ path: "x.html", text: TEXT, format: "markdown" }])).toMatchObject({
      ...{ updated: 1, chunks: 2 },
    });
    const asMarkdown = await library.root();
    expect(asMarkdown).not.toBe(asCode);
    expect((await library.check()).isSound).toBe(true);
    const other = await openTiny(":memory:");
    await other.library.add([{ path: "x.html", text: TEXT, format: "markdown" }]);
    expect(await stateOf(other, [], [])).toStrictEqual(await stateOf(opened, [], []));
    // Without a format, adding it again means the one of the extension.
    expect(await library.add([{ path: "x.html", text: TEXT }])).toMatchObject({ updated: 1, chunks: 1 });
    expect(await library.root()).toBe(asCode);
    await library.close();
    await other.library.close();
  });

  test("is checked", async () => {
    const library = await open(":memory:", TINY);
    for (const format of ["html", 1, {}, ""]) {
      const added = library.add([{ path: "a.md", text: TEXT, format: format as "plain" }]);
      await expect(added).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
    }
    await library.close();
  });
});

describe("lines and pages", () => {
  test("a chunk has the line of the file, whatever ends its lines", async () => {
    const library = await open(":memory:", TINY);
    const text =
      "\ufeff---\r\ntitle: Ties\r\n---\r\n# Ties\r\n\r\n\r\nEqual scores.  \r\n\r\n## Order\rBytes decide.\r\n";
    await library.add([{ path: "a.md", text }]);
    const lines = (await library.chunks("a.md")).map(({ line, page, text: own }) => [line, page, own]);
    expect(lines).toStrictEqual([
      [1, null, "---\ntitle: Ties\n---"],
      [4, null, "# Ties\n\n\nEqual scores."],
      [9, null, "## Order\nBytes decide."],
    ]);
    const { results } = await library.search("bytes", { mode: "lexical" });
    expect(results[0]).toMatchObject({ path: "a.md", line: 9, page: null });
    await library.close();
  });

  test("form feeds separate pages where there are pages; pages without text count", async () => {
    const library = await open(":memory:", TINY);
    const text = `${"first page ".repeat(40)}\n\n\f\fthird page\n\n\f${"fourth page ".repeat(40)}\n`;
    await library.add([{ path: "a.pdf", text, mime: "application/pdf" }]);
    await library.add([{ path: "a.txt", text }]);
    const pages = (await library.chunks("a.pdf")).map(({ page }) => page);
    expect(pages[0]).toBe(1);
    expect(pages.at(-1)).toBe(4);
    expect(new Set((await library.chunks("a.txt")).map(({ page }) => page))).toStrictEqual(new Set([null]));
    const { results } = await library.search("third", { mode: "lexical", filters: { path: ["*.pdf"] } });
    expect(results[0]!.page).toBeLessThanOrEqual(3);
    await library.close();
  });
});
