import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type AddFilesReport, type Library, open, type ProgressEvent } from "selfsame";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";

let root: string;
let library: Library;
const write = (path: string, text: string | Uint8Array, ageSeconds = 3600): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  const time = Date.now() / 1000 - ageSeconds;
  utimesSync(join(root, path), time, time);
};
const paths = async (): Promise<string[]> => (await library.documents()).map(({ path }) => path);
const skipped = (report: AddFilesReport) => report.skipped.map(({ path, reason }) => `${path}: ${reason}`);

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "selfsame-files-"));
  library = await open(join(root, ".library.db"), { model: "tiny" });
});
afterEach(async () => {
  await library.close();
  rmSync(root, { recursive: true, force: true });
});

describe("addFiles", () => {
  it("adds, updates, leaves alone and removes; paths count from the library's folder", async () => {
    write("a.md", "# A\n\none");
    write("docs/b.txt", "two");
    write("docs/deep/c.ts", "const three = 3;");
    const first = await library.addFiles(["."]);
    expect(first).toMatchObject({ added: 3, updated: 0, unchanged: 0, removed: 0, skipped: [] });
    expect(await paths()).toEqual(["a.md", "docs/b.txt", "docs/deep/c.ts"]);
    expect((await library.documents()).map(({ mime }) => mime)).toEqual([
      "text/markdown",
      "text/plain",
      "text/typescript",
    ]);

    expect(await library.addFiles(["."])).toMatchObject({
      added: 0,
      unchanged: 3,
      embedded: 0,
      root: first.root,
    });

    write("a.md", "# A\n\nchanged");
    rmSync(join(root, "docs/b.txt"));
    expect(await library.addFiles(["."])).toMatchObject({ added: 0, updated: 1, unchanged: 1, removed: 1 });
    expect(await paths()).toEqual(["a.md", "docs/deep/c.ts"]);
  });

  it("a renamed file costs no embedding, and a removal reaches no further than what was walked", async () => {
    write("docs/a.md", "some words");
    write("notes/b.md", "other words");
    await library.addFiles(["."]);
    renameSync(join(root, "docs/a.md"), join(root, "docs/z.md"));
    rmSync(join(root, "notes/b.md"));
    expect(await library.addFiles(["docs"])).toMatchObject({ added: 1, removed: 1, embedded: 0 });
    expect(await paths()).toEqual(["docs/z.md", "notes/b.md"]);
    // What was added as a document, not as a file, is never removed by a walk.
    await library.add([{ path: "docs/by-hand.md", text: "kept" }]);
    await library.addFiles(["."]);
    expect(await paths()).toEqual(["docs/by-hand.md", "docs/z.md"]);
  });

  it("a change of the same length and time is seen where the time is too fresh to trust", async () => {
    // A clock that stands still: both times are the same, and a second before the scans.
    const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now());
    onTestFinished(() => void clock.mockRestore());
    write("a.txt", "one", 1);
    await library.addFiles(["."]);
    write("a.txt", "two", 1);
    expect(await library.addFiles(["."])).toMatchObject({ updated: 1 });
    expect((await library.chunks("a.txt"))[0]!.text).toBe("two");
  });

  it("a file that another one of the same length and time was moved over is read again", async () => {
    // Archives give every file one time; what a move changes is the time of the last change, which nobody sets.
    const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 3_600_000);
    onTestFinished(() => void clock.mockRestore());
    for (const path of ["a.txt", "b.txt"]) {
      write(path, path === "a.txt" ? "one" : "two");
      utimesSync(join(root, path), 499_162_500, 499_162_500);
    }
    await library.addFiles(["."]);
    await new Promise((resolve) => setTimeout(resolve, 50)); // file systems' clocks tick in steps
    renameSync(join(root, "b.txt"), join(root, "a.txt"));
    expect(await library.addFiles(["."])).toMatchObject({ updated: 1, removed: 1 });
    expect((await library.chunks("a.txt"))[0]!.text).toBe("two");
  });

  it("takes a file of any time", async () => {
    for (const [i, year] of [1901, 2262, 2263, 2400].entries()) {
      write(`${i}.txt`, "words");
      const time = Date.UTC(year, 11, 31) / 1000;
      utimesSync(join(root, `${i}.txt`), time, time);
    }
    expect(await library.addFiles(["."])).toMatchObject({ added: 4, skipped: [] });
    expect(await library.addFiles(["."])).toMatchObject({ unchanged: 4 });
  });

  it("a document behind a link that leads to nothing any more is taken out", async () => {
    write("docs/a.md", "some words");
    mkdirSync(join(root, "links"));
    symlinkSync("../docs/a.md", join(root, "links/link.md"));
    await library.addFiles(["links"]);
    expect(await paths()).toEqual(["docs/a.md"]);
    rmSync(join(root, "docs/a.md"));
    const report = await library.addFiles(["links"]);
    expect(skipped(report)).toEqual(["links/link.md: not a file"]);
    expect(await paths()).toEqual([]);
  });

  it("has one root for the same files, whichever links were named, in any order", async () => {
    write("zzz/a.md", "some words");
    write("zzz/deep/b.md", "other words");
    symlinkSync("zzz", join(root, "aaa"));
    symlinkSync("../zzz/a.md", join(root, "zzz/again.md"));
    symlinkSync("zzz/deep", join(root, "mmm"));
    const first = await library.addFiles(["."]);
    expect(await paths()).toEqual(["zzz/a.md", "zzz/deep/b.md"]);
    for (const commands of [
      [["aaa"]],
      [["zzz"], ["aaa"], ["."]],
      [["mmm"], ["aaa/again.md"]],
      [["mmm", "aaa"], ["."]],
    ]) {
      const other = await open(":memory:", { model: "tiny" });
      onTestFinished(() => other.close());
      for (const names of commands) await other.addFiles(names, { root });
      expect(await other.root(), JSON.stringify(commands)).toBe(first.root);
    }
  });

  it.skipIf(process.platform === "win32")("a pipe in the place of .gitignore is not waited for", async () => {
    write("a.md", "some words");
    execFileSync("mkfifo", [join(root, ".gitignore")]);
    expect(await library.addFiles(["."])).toMatchObject({ added: 1 });
  });

  it("paths count from one folder: another is refused while the files are there, and taken when they are not", async () => {
    write("docs/a.md", "some words");
    write("notes/b.md", "other words");
    await library.addFiles(["docs"]);
    const before = await library.root();
    const elsewhere = { root: join(root, "notes") };
    await expect(library.addFiles(["."], elsewhere)).rejects.toMatchObject({
      code: "BAD_ARGUMENT",
      message: expect.stringContaining(realpathSync(root)),
    });
    expect(await library.root()).toBe(before);
    rmSync(join(root, "docs"), { recursive: true });
    expect(await library.addFiles(["."], elsewhere)).toMatchObject({ added: 1, removed: 1 });
    expect(await paths()).toEqual(["b.md"]);
    await expect(library.addFiles(["notes"])).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  });

  it("honours .gitignore at every level, and skips hidden files and node_modules", async () => {
    write(".gitignore", "*.log\n/build/\n!keep.log\n");
    write("sub/.gitignore", "secret.txt\n!b.log\n");
    for (const path of [
      "a.txt",
      "a.log",
      "keep.log",
      "build/x.txt",
      "sub/build/y.txt",
      "sub/secret.txt",
      "sub/b.log",
      ".hidden/z.txt",
      "node_modules/m.txt",
      "sub/.env",
    ]) {
      write(path, path);
    }
    await library.addFiles(["."]);
    expect(await paths()).toEqual(["a.txt", "keep.log", "sub/b.log", "sub/build/y.txt"]);
  });

  it("include and exclude are patterns of paths; what is no longer wanted is taken out", async () => {
    for (const path of ["a.md", "docs/b.md", "docs/c.txt", "docs/old/d.md"]) write(path, path);
    await library.addFiles(["."], { include: ["docs/**", "*.md"], exclude: ["docs/old/**"] });
    expect(await paths()).toEqual(["a.md", "docs/b.md", "docs/c.txt"]);
    await library.addFiles(["."], { include: ["**/*.md"] });
    expect(await paths()).toEqual(["a.md", "docs/b.md", "docs/old/d.md"]);
    await expect(library.addFiles(["."], { include: ["[z-a]"] })).rejects.toMatchObject({
      code: "BAD_ARGUMENT",
    });
  });

  it("skips binaries, large files and odd entries with the reason, and goes on", async () => {
    write("good.txt", "good");
    write("binary.dat", new Uint8Array([65, 0, 66]));
    write("utf16.txt", new Uint8Array([0xff, 0xfe, 0x60, 0x4f, 0x7d, 0x59]));
    write("utf16.dat", new Uint8Array([0xfe, 0xff, 0, 65, 0, 0, 0, 66])); // has a NUL when decoded
    write("broken.pdf", "no PDF");
    write("large.txt", "x".repeat(2000));
    write("not-utf8.txt", new Uint8Array([0x63, 0x61, 0x66, 0xe9]));
    symlinkSync(join(root, "missing"), join(root, "dangling"));
    const report = await library.addFiles(["."], { maxBytes: 1000 });
    expect(await paths()).toEqual(["good.txt", "not-utf8.txt", "utf16.txt"]);
    expect((await library.chunks("utf16.txt"))[0]!.text).toBe("你好");
    expect((await library.chunks("not-utf8.txt"))[0]!.text).toBe("caf\ufffd");
    expect(skipped(report)).toEqual([
      "binary.dat: binary",
      "broken.pdf: bad content",
      "dangling: not a file",
      "large.txt: too large",
      "utf16.dat: binary",
    ]);
    expect(report.types).toEqual({
      taken: { txt: 3 },
      leftOut: { "binary files": 2, "bad content": 1, "not a file": 1, "over 1000 bytes": 1 },
    });
  });

  it("follows links within the root, in circles too, and none out of it", async () => {
    const outside = mkdtempSync(join(tmpdir(), "selfsame-outside-"));
    writeFileSync(join(outside, "secret.txt"), "secret");
    write("a/one.txt", "one");
    symlinkSync(join(root, "a"), join(root, "a/again"));
    symlinkSync(outside, join(root, "a/out"));
    symlinkSync(join(outside, "secret.txt"), join(root, "a/secret.txt"));
    const report = await library.addFiles(["."]);
    expect(await paths()).toEqual(["a/one.txt"]);
    expect(skipped(report)).toEqual(["a/out: link out of the root", "a/secret.txt: link out of the root"]);
    await expect(library.addFiles([outside])).rejects.toMatchObject({ code: "PATH_OUTSIDE_ROOT" });
    await expect(library.addFiles(["../"])).rejects.toMatchObject({ code: "PATH_OUTSIDE_ROOT" });
    await expect(library.addFiles(["nothing-here"])).rejects.toMatchObject({ code: "FILE_MISSING" });
    rmSync(outside, { recursive: true });
  });

  it("an ignored folder is walked where it is named", async () => {
    write(".gitignore", "drafts/\n");
    write("drafts/.gitignore", "*.log\n");
    write("drafts/a.md", "some words");
    write("drafts/b.log", "other words");
    expect(await library.addFiles(["."])).toMatchObject({ added: 0 });
    expect(await library.addFiles(["drafts"])).toMatchObject({ added: 1, removed: 0 });
    expect(await paths()).toEqual(["drafts/a.md"]);
  });

  it("takes out nothing that lies in a folder which cannot be read now", async () => {
    write("docs/deep/a.md", "some words");
    write("docs/b.md", "other words");
    await library.addFiles(["docs"]);
    renameSync(join(root, "docs/deep"), join(root, "elsewhere"));
    symlinkSync("deep", join(root, "docs/deep")); // a link to itself: no permission would stop an administrator
    const report = await library.addFiles(["docs"]);
    expect(skipped(report)).toEqual(["docs/deep: unreadable"]);
    expect(await paths()).toEqual(["docs/b.md", "docs/deep/a.md"]);
    rmSync(join(root, "docs/deep"));
    expect(await library.addFiles(["docs"])).toMatchObject({ removed: 1 });
  });

  it("reads a file again whose document was given another text by hand", async () => {
    write("a.md", "what the file says");
    const { root: ofFile } = await library.addFiles(["."]);
    await library.add([{ path: "a.md", text: "what a hand wrote" }]);
    expect(await library.addFiles(["."])).toMatchObject({ updated: 1, root: ofFile });
    expect(await library.addFiles(["."])).toMatchObject({ unchanged: 1 });
  });

  it("takes out what is gone from a folder whose name is not in NFC", async () => {
    const folder = "cafe\u0301";
    write(`${folder}/a.md`, "some words");
    write(`${folder}/b.md`, "other words");
    await library.addFiles([folder]);
    rmSync(join(root, folder, "b.md"));
    expect(await library.addFiles([folder])).toMatchObject({ removed: 1 });
    expect(await paths()).toEqual(["caf\u00e9/a.md"]);
  });

  it("knows no type of an extension that is a property of every object", async () => {
    write("a.constructor", "some words");
    expect(await library.addFiles(["."])).toMatchObject({ added: 1 });
    expect((await library.documents())[0]!.mime).toBeNull();
  });

  it("names that are one after NFC: the first is taken, the second is reported", async () => {
    write("caf\u00e9.txt", "composed");
    write("cafe\u0301.txt", "decomposed");
    const report = await library.addFiles(["."]);
    expect(report.added).toBe(1);
    expect(skipped(report)).toHaveLength(1);
    expect(report.skipped[0]!.reason).toBe("bad name");
  });

  it.runIf(process.getuid?.() !== 0)(
    "a file that cannot be read is reported, and its document kept",
    async () => {
      write("a.txt", "one");
      await library.addFiles(["."]);
      write("a.txt", "two");
      chmodSync(join(root, "a.txt"), 0);
      const report = await library.addFiles(["."]);
      expect(skipped(report)).toEqual(["a.txt: unreadable"]);
      expect(await paths()).toEqual(["a.txt"]);
    },
  );

  it("takes metadata from front matter and from the call, of which front matter wins", async () => {
    write("a.md", "---\ntitle: Ties\ntags: [x, y]\nlang: de\n---\n# A\n");
    write("b.txt", "---\ntitle: no Markdown\n---\n");
    const first = await library.addFiles(["."], { metadata: { lang: "en", team: 7 } });
    expect(first.metadataFaults).toEqual([]);
    expect((await library.documents()).map(({ metadata }) => metadata)).toEqual([
      { title: "Ties", tags: ["x", "y"], lang: "de", team: 7 },
      { lang: "en", team: 7 },
    ]);
    const { results } = await library.search("ties", { filters: { metadata: { tags: "x" } } });
    expect(new Set(results.map(({ path }) => path))).toEqual(new Set(["a.md"]));
  });

  it("gives unchanged files the metadata of the last call, in another metadata root and the same root", async () => {
    const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 3_600_000);
    onTestFinished(() => void clock.mockRestore());
    write("a.md", "some words");
    const { root: textRoot } = await library.addFiles(["."], { metadata: { team: "a" } });
    const before = await library.metadataRoot();
    expect(await library.addFiles(["."], { metadata: { team: "a" } })).toMatchObject({ unchanged: 1 });
    expect(await library.metadataRoot()).toBe(before);
    expect(await library.addFiles(["."], { metadata: { team: "b" } })).toMatchObject({
      updated: 1,
      embedded: 0,
      root: textRoot,
    });
    expect(await library.metadataRoot()).not.toBe(before);
    expect(await library.addFiles(["."])).toMatchObject({ updated: 1, root: textRoot });
    expect((await library.documents())[0]!.metadata).toBeNull();
  });

  it("indexes a file whose front matter is hostile without it, and names the file", async () => {
    write("good.md", "---\na: 1\n---\nsome words");
    write("bomb.md", '---\na: &a ["x", "x"]\nb: [*a, *a]\n---\nother words');
    const report = await library.addFiles(["."], { metadata: { team: 1 } });
    expect(report).toMatchObject({ added: 2, skipped: [] });
    expect(report.metadataFaults).toEqual([
      { path: "bomb.md", detail: expect.stringMatching(/^line 2: expected .*, got "&a/) },
    ]);
    expect((await library.documents()).map(({ metadata }) => metadata)).toEqual([
      { team: 1 },
      { a: 1, team: 1 },
    ]);
  });

  it.each([[[]], ["a=b"], [new Map()], [{ a: () => 1 }], [{ a: Number.NaN }]])(
    "refuses %o as metadata",
    async (metadata) => {
      write("a.md", "some words");
      await expect(library.addFiles(["."], { metadata: metadata as never })).rejects.toMatchObject({
        code: "BAD_ARGUMENT",
      });
    },
  );

  it("stops on an AbortSignal, keeps what is written, and goes on from there", async () => {
    for (let i = 0; i < 60; i++) write(`${i}.txt`, `document number ${i} `.repeat(400));
    const abort = new AbortController();
    const stopped = library.addFiles(["."], {
      signal: abort.signal,
      onProgress: ({ documents }) => {
        if (documents >= 10) abort.abort();
      },
    });
    await expect(stopped).rejects.toMatchObject({ code: "ABORTED" });
    const before = (await library.documents()).length;
    expect(before).toBeGreaterThanOrEqual(10);
    const events: number[] = [];
    const report = await library.addFiles(["."], { onProgress: ({ documents }) => events.push(documents) });
    expect(await library.documents()).toHaveLength(60);
    expect(report.added).toBe(60 - before);
    expect(events.at(-1)).toBe(60);
  });

  it("knows, after a stop, the files of what was written: those that are gone by then are taken out", async () => {
    for (let i = 0; i < 60; i++) write(`${i}.txt`, `document number ${i} `.repeat(400));
    const abort = new AbortController();
    const onProgress = ({ documents }: ProgressEvent) => {
      if (documents >= 10) abort.abort();
    };
    const stopped = library.addFiles(["."], { signal: abort.signal, onProgress });
    await expect(stopped).rejects.toMatchObject({ code: "ABORTED" });
    const written = (await paths()).length;
    expect(written).toBeGreaterThan(0);
    for (let i = 0; i < 60; i++) rmSync(join(root, `${i}.txt`));
    write("new.txt", "another");
    expect(await library.addFiles(["."])).toMatchObject({ added: 1, removed: written });
    expect(await paths()).toEqual(["new.txt"]);
  });
});
