import { afterAll, describe, expect, it } from "vitest";
import { makePdf } from "../files/make-pdf.ts";
import { Place } from "./run.ts";

const place = new Place({
  "docs/ties.md": "# Ties\n\nEqual scores stand by path.\n\n## Why\n\nSo that the order is total.\n",
  "docs/page.html":
    "<title>T</title><nav>Home</nav><h1>Quokka</h1><p class='a'>A &lt;small&gt; marsupial.</p>",
  "docs/odd:12": "A path that ends in a number.\n",
});
place.write("docs/book.pdf", makePdf([[[50, 700, "One"]], [[50, 700, "The wombat digs"]]]));
place.write("docs/broken.pdf", "no PDF");
place.write("docs/picture.png", new Uint8Array([0x89, 0x50, 0, 0]));
place.write(".git/x", "");
afterAll(() => place.remove());

describe("documents, from the shell", () => {
  it("a dry run says what would be taken, and writes nothing", () => {
    const { status, stdout } = place.run("index", "docs", "--dry-run");
    expect(status).toBe(0);
    expect(stdout).toContain("docs/page.html\n");
    expect(stdout).toContain("skipped docs/picture.png: binary\n");
    expect(stdout).toMatch(/^by type: .*1 md.*; left out: 1 image$/m);
    expect(stdout).toMatch(/5 files would be indexed. Nothing was written.\n$/);
    expect(place.run("stats").status).toBe(1);
  });

  it("index sums up by type; a broken file is named, and the rest goes on", () => {
    const { stdout } = place.run("index", "docs", "--model", "tiny");
    expect(stdout).toMatch(/^by type: .*1 pdf.*; left out: 1 bad content, 1 image$/m);
    expect(stdout).toMatch(/^skipped docs\/broken\.pdf: bad content \(expected a PDF, got other bytes\)$/m);
  });

  it("search shows where to open what it found, from where the user stands", () => {
    expect(place.run("search", "order", "--mode", "lexical").stdout).toMatch(
      /^1\. docs\/ties\.md:5 › Ties > Why /m,
    );
    const inside = place.runWith({ cwd: place.path("docs") }, "search", "wombat", "--mode", "lexical");
    expect(inside.stdout).toMatch(/^1\. book\.pdf:\d+ page \d /m);
    const page = place.json("search", "marsupial", "--mode", "lexical");
    expect(page.results[0]).toMatchObject({
      path: "docs/page.html",
      content: "# Quokka\n\nA <small> marsupial.",
    });
    expect(page.results[0].document.metadata).toEqual({ extractor: "html 1" });
  });

  it("get prints a document, lines or a chunk", () => {
    expect(place.run("get", "docs/page.html").stdout).toBe("# Quokka\n\nA <small> marsupial.\n");
    const lines = place.runWith({ cwd: place.path("docs") }, "get", "ties.md:5", "--around", "1");
    expect(lines.stdout).toBe(" 4  \n>5  ## Why\n 6  \n");
    expect(place.run("get", "docs/ties.md#1").stdout).toBe(
      "docs/ties.md:5 #1 › Ties > Why\n## Why\n\nSo that the order is total.\n",
    );
    expect(place.run("get", "docs/odd:12").stdout).toBe("A path that ends in a number.\n");
    expect(place.json("get", "docs/ties.md:3", "--around", "0")).toMatchObject({
      ...{ from: 3, to: 3, total: 7, lines: ["Equal scores stand by path."] },
    });
  });

  it.each([
    [["get", "docs/none.md"], /FILE_MISSING: .*got none at "docs\/none\.md"/],
    [["get", "docs/ties.md:99"], /expected a line from 1 to 7/],
    [["get", "docs/ties.md#9"], /expected a chunk from 0 to 1/],
    [["get", "docs/ties.md", "--around", "x"], /expected --around/],
    [["rm", "docs/ties.md", "docs/none.md"], /FILE_MISSING.*Nothing was removed/],
  ])("%j says what is wrong", (args, message) => {
    const { status, stderr } = place.run(...args);
    expect(status).not.toBe(0);
    expect(stderr).toMatch(message);
  });

  it("ls lists, rm removes", () => {
    expect(place.run("ls").stdout).toMatch(/^docs\/book\.pdf {2}1 chunk\n/);
    expect(place.json("ls", "**/*.{md,html}").map(({ path }: { path: string }) => path)).toEqual([
      "docs/page.html",
      "docs/ties.md",
    ]);
    expect(place.json("ls", "--limit", "1")).toHaveLength(1);
    expect(place.json("rm", "docs/ties.md", "**/*.pdf")).toMatchObject({
      ...{ removed: 2, paths: ["docs/ties.md", "docs/book.pdf"] },
    });
    expect(place.json("ls").map(({ path }: { path: string }) => path)).toEqual([
      "docs/odd:12",
      "docs/page.html",
    ]);
  });
});
