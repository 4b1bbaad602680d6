import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { extract } from "#dist/files/extract/extract.js";
import { PAGES } from "./pages.ts";
import { markupIn, visibleText } from "./visible-text.ts";

const IS_LONG = import.meta.env.MODE === "long";
const bytes = (text: string) => new TextEncoder().encode(text);
const html = async (source: string) => (await extract("page.html", bytes(source)))!.text;

describe("a page", () => {
  it.each(PAGES.map((page, i) => [i, page] as const))("of our own writing, number %i", async (_, page) => {
    const text = await html(page.source);
    expect(markupIn(text, page.source)).toEqual([]);
    expect(text).toBe(page.text);
    const shown = visibleText(page.source);
    for (const word of page.text.match(/[A-Za-z]{3,}/g) ?? []) expect(shown).toContain(word);
  });

  it("says what it is: Markdown, whatever the case of its extension", async () => {
    expect(await extract("A.HTM", bytes("<h1>A</h1>"))).toEqual({ text: "# A", format: "markdown" });
    expect(await extract("a.md", bytes("# A"))).toBeNull();
  });

  it("is decoded as it says", async () => {
    const latin = Uint8Array.from([...bytes('<meta charset="iso-8859-1"><p>caf'), 0xe9, 0x20, 0x93, 0x80]);
    expect((await extract("a.html", latin))!.text).toBe("café “€");
    const utf16 = Uint8Array.from([0xff, 0xfe, ...Buffer.from("<p>é", "utf16le")]);
    expect((await extract("a.html", utf16))!.text).toBe("é");
    await expect(html('<meta charset="shift_jis"><p>a')).rejects.toThrow("got the encoding shift_jis");
  });

  it.each([
    ["<div>".repeat(100_000), "nested more than 512 deep"],
    ["<b><i><u>".repeat(400), "nested more than 512 deep"],
    [`<table>${"<table><tr><td>".repeat(2000)}`, "nested more than 512 deep"],
  ])("that is written to harm is refused (%#)", async (source, reason) => {
    await expect(html(source)).rejects.toThrow(reason);
  });

  it("that is broken in any way gives some text, and ends", async () => {
    for (const source of [
      "",
      "<",
      "<!",
      "&#x110000;",
      "<p".repeat(1000),
      "</p>".repeat(5000),
      "<a href='",
      "<![CDATA[",
    ])
      expect(typeof (await html(source))).toBe("string");
    expect(await html("<ul><li>a<ul><li>b<ul><li>c</ul></ul></ul>")).toBe("- a\n  - b\n    - c");
    expect((await html(`<ul><li>${"<ul><li>".repeat(100)}x`)).length).toBeLessThan(400);
  });
});

/** Debian's packages postgresql-doc-15 and python3-doc, or folders of the same form. */
const FOLDERS = [
  process.env["SELFSAME_POSTGRESQL_HTML"] ?? "/usr/share/doc/postgresql-doc-15/html",
  process.env["SELFSAME_PYTHON_HTML"] ?? "/usr/share/doc/python3.11/html",
];

describe.runIf(IS_LONG)("documentation as it is published", () => {
  for (const folder of FOLDERS)
    test.skipIf(!existsSync(folder))(
      `${folder}: no tag, attribute or entity in 100 pages (apt-get install postgresql-doc-15 python3-doc)`,
      async () => {
        const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
          .filter((file) => file.endsWith(".html"))
          .sort();
        const step = Math.floor(files.length / 100);
        const some = files.filter((_, i) => i % step === 0).slice(0, 100);
        expect(some).toHaveLength(100);
        for (const file of some) {
          const source = readFileSync(join(folder, file), "utf8");
          expect([file, markupIn(await html(source), source)]).toEqual([file, []]);
        }
      },
    );
});
