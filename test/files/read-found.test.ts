import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { FoundFile } from "#dist/files/found-file.js";
import { readFound } from "#dist/files/read-found.node.js";
import { walk } from "#dist/files/walk.node.js";

let folder: string;
let found: FoundFile;

/** A file of a walk, which something happens to before it is read. */
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "selfsame-found-")));
  mkdirSync(join(folder, "root/docs"), { recursive: true });
  writeFileSync(join(folder, "secret.md"), "secret");
  writeFileSync(join(folder, "root/docs/a.md"), "words");
  const { files } = await walk(["."], {
    root: join(folder, "root"),
    maxBytes: () => 1000,
    wants: () => true,
  });
  [found] = files as [FoundFile];
});
afterEach(() => rmSync(folder, { recursive: true }));

it("reads what the walk has found", async () => {
  expect(Buffer.from((await readFound(found))!).toString()).toBe("words");
});

it("is null for a file that has gone, and for one whose folder has", async () => {
  rmSync(found.absolute);
  expect(await readFound(found)).toBeNull();
  rmSync(join(folder, "root/docs"), { recursive: true });
  writeFileSync(join(folder, "root/docs"), "a file now");
  expect(await readFound(found)).toBeNull();
});

it("refuses a link out of the root in the file's place, and in its folder's", async () => {
  rmSync(found.absolute);
  symlinkSync(join(folder, "secret.md"), found.absolute);
  await expect(readFound(found)).rejects.toThrow("another file replaced it");
  renameSync(join(folder, "root/docs"), join(folder, "root/old"));
  mkdirSync(join(folder, "outside"));
  writeFileSync(join(folder, "outside/a.md"), "secret");
  symlinkSync(join(folder, "outside"), join(folder, "root/docs"));
  await expect(readFound(found)).rejects.toThrow("another file replaced it");
});

it.skipIf(process.platform === "win32")("does not wait at a pipe in the file's place", async () => {
  rmSync(found.absolute);
  execFileSync("mkfifo", [found.absolute]);
  await expect(readFound(found)).rejects.toThrow("it is no longer a file");
});
