import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync, deflateSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { extract, extractorOf } from "#dist/files/extract/extract.js";
import { makePdf } from "./make-pdf.ts";

const IS_LONG = import.meta.env.MODE === "long";
const textOf = async (path: string, content: string | Uint8Array) =>
  (await extract(path, typeof content === "string" ? strToU8(content) : content))!.text;
/** Word's own files, which come with the package that reads them. */
const word = (name: string) =>
  new Uint8Array(readFileSync(join(import.meta.dirname, "../../node_modules/mammoth/test/test-data", name)));

describe("PDF", () => {
  it("gives lines, paragraphs and pages; a page without text counts", async () => {
    const pdf = makePdf([
      [
        [50, 700, "The first line of an exam-"],
        [50, 686, "ple goes on."],
        [50, 640, "Another paragraph \\(one\\)"],
      ],
      [],
      [[50, 700, "Page three"]],
    ]);
    const found = await extract("a.pdf", pdf);
    expect(found!.format).toBe("plain");
    expect(found!.text).toBe(
      "The first line of an example goes on.\n\nAnother paragraph \\(one\\)\n\n\f\fPage three",
    );
    expect(await textOf("a.PDF", pdf)).toBe(found!.text);
  });

  it("says nothing to standard output, and leaves no global behind", async () => {
    await textOf("a.pdf", makePdf([[[50, 700, "a"]]]));
    expect("window" in globalThis).toBe(false);
  });

  it.each([
    ["no PDF", "expected a PDF"],
    ["%PDF-1.4\n", "Invalid PDF structure"],
    [
      "%PDF-1.7\n1 0 obj << /Filter [/FlateDecode /FlateDecode] /Length 3 >>\nstream\nabc\nendstream",
      "more than once",
    ],
  ])("that is broken or hostile is refused (%#)", async (content, reason) => {
    await expect(textOf("a.pdf", content)).rejects.toThrow(reason);
  });

  it.runIf(IS_LONG)("that would fill the memory is refused before it is unpacked", async () => {
    const bomb = deflateSync(new Uint8Array(300 << 20));
    const head = strToU8("%PDF-1.4\n1 0 obj << /Filter /FlateDecode >>\nstream\n");
    const file = Uint8Array.from([...head, ...bomb, ...strToU8("\nendstream endobj")]);
    await expect(textOf("a.pdf", file)).rejects.toThrow("268435456 bytes when unpacked");
  });
});

describe("DOCX", () => {
  it("gives headings, lists and tables", async () => {
    expect(await textOf("a.docx", word("tables.docx"))).toBe(
      "Above\n\n| Top left | Top right |\n| --- | --- |\n| Bottom left | Bottom right |\n\nBelow",
    );
    expect(await textOf("a.docx", word("simple-list.docx"))).toBe("- Apple\n- Banana");
    expect(await textOf("a.docx", word("single-paragraph.docx"))).toBe("Walking on imported air");
  });

  const parts = (body: string) => ({
    "[Content_Types].xml": strToU8(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
    "_rels/.rels": strToU8(
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    ),
    "word/document.xml": strToU8(
      `${body.startsWith("<!") ? body : ""}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body.startsWith("<!") ? "" : body}</w:body></w:document>`,
    ),
  });
  const paragraph =
    '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Roots &amp; ties</w:t></w:r></w:p>';

  it("is read whatever else the archive holds", async () => {
    const file = zipSync({ ...parts(paragraph), "word/media/a.png": new Uint8Array(1000) });
    expect(await textOf("a.docx", file)).toContain("Roots & ties");
  });

  it.each([
    ["entities", parts('<!DOCTYPE a [<!ENTITY x "y">]>'), "declares entities"],
    ["nesting", parts("<w:p>".repeat(1000)), "more than 256 deep"],
    ["another archive", { "a.txt": strToU8("a") }, "got another archive"],
  ])("that is hostile is refused: %s", async (_, archive, reason) => {
    await expect(textOf("a.docx", zipSync(archive, { level: 1 }))).rejects.toThrow(reason);
  });

  it("that would fill the memory is refused, whatever size it names", async () => {
    const name = "word/document.xml";
    const packed = deflateRawSync(new Uint8Array(300 << 20));
    const header = Buffer.alloc(30);
    header.write("PK\x03\x04", "latin1");
    header.writeUInt16LE(20, 4);
    header.writeUInt16LE(8, 8); // deflate
    header.writeUInt32LE(packed.length, 18);
    header.writeUInt32LE(100, 22);
    header.writeUInt16LE(name.length, 26);
    const file = new Uint8Array(Buffer.concat([header, Buffer.from(name), packed]));
    await expect(textOf("a.docx", file)).rejects.toThrow("268435456 bytes when unpacked");
  });

  it("that is no archive, or a cut one, is refused", async () => {
    await expect(textOf("a.docx", "no zip")).rejects.toThrow("expected a zip archive");
    await expect(textOf("a.docx", word("tables.docx").subarray(0, 900))).rejects.toThrow();
  });
});

describe("EPUB", () => {
  const book = (files: Record<string, string>) =>
    zipSync(
      Object.fromEntries(
        Object.entries({
          mimetype: "application/epub+zip",
          "META-INF/container.xml":
            '<container><rootfiles><rootfile full-path="OPS/book.opf" media-type="x"/></rootfiles></container>',
          ...files,
        }).map(([name, text]) => [name, strToU8(text)]),
      ),
    );
  const opf =
    '<package><manifest><item id="b" href="b.xhtml"/><item id="a" href="text/a%20b.xhtml"/><item id="n" href="n.xhtml"/></manifest>' +
    '<spine><itemref idref="a"/><itemref idref="b"/><itemref idref="n" linear="no"/><itemref idref="gone"/></spine></package>';

  it("gives its chapters in the order of its spine", async () => {
    const file = book({
      "OPS/book.opf": opf,
      "OPS/b.xhtml": "<?xml version='1.0'?><html><head><title/></head><body><h1>Two</h1><p/>b</body></html>",
      "OPS/text/a b.xhtml": "<html><head><script src='x'/></head><body><h1>One</h1><p>a</p></body></html>",
      "OPS/n.xhtml": "<p>notes</p>",
    });
    expect(await textOf("a.epub", file)).toBe("# One\n\na\n\n# Two\n\nb");
  });

  it("without its parts is refused", async () => {
    await expect(textOf("a.epub", zipSync({ a: strToU8("a") }))).rejects.toThrow("META-INF/container.xml");
    await expect(textOf("a.epub", book({}))).rejects.toThrow("list of contents");
  });
});

describe("notebooks", () => {
  it("and pages keep long runs of spaces in code, in time that is proportional to them", async () => {
    // The square of this many spaces would take minutes.
    const code = `\n\r\na${" ".repeat(300_000)}b \t\n`;
    const kept = `\n${code.trim()}`;
    const cells = [{ cell_type: "code", source: code }];
    expect(await textOf("a.ipynb", JSON.stringify({ cells }))).toBe(`\`\`\`\n${kept}\n\`\`\``);
    expect(await textOf("a.html", `<pre>${code}</pre>`)).toContain(kept.trim());
  });

  it("give their texts and their code, not their outputs", async () => {
    const cells = [
      { cell_type: "markdown", source: ["# Roots\n", "\n", "Text"] },
      { cell_type: "code", source: "print('a')\n", outputs: [{ text: "secret" }] },
      { cell_type: "raw", source: "raw" },
    ];
    expect(await textOf("a.ipynb", JSON.stringify({ cells }))).toBe(
      "# Roots\n\nText\n\n```\nprint('a')\n```",
    );
    const old = { worksheets: [{ cells: [{ cell_type: "code", input: ["a = 1"] }] }] };
    expect(await textOf("a.ipynb", JSON.stringify(old))).toBe("```\na = 1\n```");
  });

  it.each(["", "[]", "{}", "null", "[".repeat(100_000)])("of another form are refused (%#)", async (json) => {
    await expect(textOf("a.ipynb", json)).rejects.toThrow();
  });
});

describe("reStructuredText and AsciiDoc", () => {
  it("have Markdown headings, each line in its place", async () => {
    const rst =
      "=====\nTitle\n=====\n\nText\n\nPart\n----\n\n.. code::\n\n   # comment\n\nDeep\n~~~~\n\nPart two\n--------\nend";
    const text = await textOf("a.rst", rst);
    expect(text).toBe(
      "\n# Title\n\n\nText\n\n## Part\n\n\n.. code::\n\n   \\# comment\n\n### Deep\n\n\n## Part two\n\nend",
    );
    expect(text.split("\n")).toHaveLength(rst.split("\n").length);
  });

  it("has fences around listings", async () => {
    const adoc =
      "= Title\n\n== Part\nText\n\nOld style\n---------\n\n----\n# code\n== no title\n----\n\n=== Deep";
    const text = await textOf("a.adoc", adoc);
    expect(text).toBe(
      `# Title\n\n## Part\nText\n\n## Old style\n\n\n${"~".repeat(9)}\n# code\n== no title\n${"~".repeat(9)}\n\n### Deep`,
    );
    expect(text.split("\n")).toHaveLength(adoc.split("\n").length);
  });
});

it("every kind has a name and a version, other files have none", () => {
  for (const path of ["a.html", "a.pdf", "a.docx", "a.epub", "a.ipynb", "a.rst", "a.adoc"])
    expect(extractorOf(path)).toMatch(/^[a-z]+ \d+/);
  expect(extractorOf("a.md")).toBeNull();
  expect(extractorOf(".html")).toBeNull();
});
