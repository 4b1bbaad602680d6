import * as nodeFs from "node:fs";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as sqlite from "#dist/store/codes.js";
import { NodeVFS } from "#dist/store/vfs.node.js";
import { scratchFolder } from "./scratch.ts";

const folder = scratchFolder();
const NAMES = ["a", "b", "c"];
const OPEN = sqlite.OPEN_READWRITE | sqlite.OPEN_CREATE;

const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ op: fc.constant("toggle"), name: fc.nat(2) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant("write"),
      name: fc.nat(2),
      offset: fc.nat(5000),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 300 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant("read"),
      name: fc.nat(2),
      offset: fc.nat(6000),
      length: fc.integer({ min: 1, max: 400 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("truncate"), name: fc.nat(2), size: fc.nat(6000) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("sync"), name: fc.nat(2), dataOnly: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("delete"), name: fc.nat(2) }) },
);

interface Step {
  op: string;
  name: number;
  offset?: number;
  bytes?: Uint8Array;
  length?: number;
  size?: number;
  dataOnly?: boolean;
}

function out(): DataView {
  return new DataView(new ArrayBuffer(8));
}

/** What the VFS must do, on plain arrays: a file is there once it was opened, and open or not. */
class Model {
  readonly files = new Map<string, number[]>();
  readonly open = new Set<string>();

  write(name: string, offset: number, bytes: Uint8Array): void {
    const file = this.files.get(name)!;
    while (file.length < offset) file.push(0);
    bytes.forEach((byte, i) => {
      file[offset + i] = byte;
    });
  }

  truncate(name: string, size: number): void {
    const file = this.files.get(name)!;
    file.length = Math.min(file.length, size);
    while (file.length < size) file.push(0);
  }
}

function perform(vfs: NodeVFS, model: Model, base: string, { op, name: index, ...with_ }: Step): void {
  const name = NAMES[index]!;
  const path = join(base, name);
  const isOpen = model.open.has(name);
  if (op === "toggle") {
    if (isOpen) expect(vfs.jClose(index)).toBe(sqlite.OK);
    else expect(vfs.jOpen(path, index, OPEN, out())).toBe(sqlite.OK);
    if (isOpen) model.open.delete(name);
    else model.open.add(name);
    if (!model.files.has(name)) model.files.set(name, []);
  } else if (op === "delete") {
    // SQLite never deletes an open file.
    if (isOpen) return;
    const expected = model.files.delete(name) ? sqlite.OK : sqlite.IOERR_DELETE_NOENT;
    expect(vfs.jDelete(path, index % 2)).toBe(expected);
  } else if (!isOpen) {
    expect(vfs.jSync(index, 0)).toBe(sqlite.IOERR_FSYNC);
  } else if (op === "write") {
    expect(vfs.jWrite(index, with_.bytes!, with_.offset!)).toBe(sqlite.OK);
    model.write(name, with_.offset!, with_.bytes!);
  } else if (op === "read") {
    const got = new Uint8Array(with_.length!).fill(0xee);
    const there = model.files.get(name)!.slice(with_.offset!, with_.offset! + with_.length!);
    const expected = there.length === with_.length ? sqlite.OK : sqlite.IOERR_SHORT_READ;
    expect(vfs.jRead(index, got, with_.offset!)).toBe(expected);
    expect([...got]).toStrictEqual([...there, ...new Array(with_.length! - there.length).fill(0)]);
  } else if (op === "truncate") {
    expect(vfs.jTruncate(index, with_.size!)).toBe(sqlite.OK);
    model.truncate(name, with_.size!);
  } else {
    expect(vfs.jSync(index, with_.dataOnly ? sqlite.SYNC_DATAONLY : 2)).toBe(sqlite.OK);
  }
}

function compare(vfs: NodeVFS, model: Model, base: string): void {
  NAMES.forEach((name, index) => {
    const expected = model.files.get(name);
    const access = out();
    expect(vfs.jAccess(join(base, name), sqlite.ACCESS_EXISTS, access)).toBe(sqlite.OK);
    // An empty file counts as none: an emptied journal is not hot.
    expect(access.getInt32(0, true)).toBe((expected?.length ?? 0) > 0 ? 1 : 0);
    if (!model.open.has(name)) return;
    const size = out();
    expect(vfs.jFileSize(index, size)).toBe(sqlite.OK);
    expect(size.getBigInt64(0, true)).toBe(BigInt(expected!.length));
  });
}

describe("NodeVFS", () => {
  test("does to files what a plain model does to arrays", () => {
    let run = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (steps) => {
        const base = join(folder, `run${run++}`);
        mkdirSync(base);
        const vfs = new NodeVFS("test", {}, "auto");
        const model = new Model();
        for (const one of steps) {
          perform(vfs, model, base, one as Step);
          compare(vfs, model, base);
        }
        vfs.abandon();
        expect(readdirSync(base).sort()).toStrictEqual([...model.files.keys()].sort());
        for (const [name, bytes] of model.files) {
          expect([...readFileSync(join(base, name))]).toStrictEqual(bytes);
        }
        rmSync(base, { recursive: true });
      }),
      { numRuns: import.meta.env.MODE === "long" ? 1000 : 100 },
    );
  });

  test("puts temporary files beside the library, and leaves nothing behind", () => {
    const place = join(folder, "temporary");
    mkdirSync(place);
    const made: string[] = [];
    const openSync: typeof nodeFs.openSync = (path, ...rest) => {
      made.push(String(path));
      return nodeFs.openSync(path, ...rest);
    };
    const vfs = new NodeVFS("test", {}, "auto", { ...nodeFs, openSync });
    expect(vfs.jOpen(join(place, "a.db"), 0, OPEN | sqlite.OPEN_MAIN_DB, out())).toBe(sqlite.OK);
    expect(vfs.jOpen(null, 1, OPEN | sqlite.OPEN_EXCLUSIVE, out())).toBe(sqlite.OK);
    expect(made[1]).toMatch(/temporary\/\.selfsame-[-0-9a-f]*\.tmp$/);
    expect(vfs.jWrite(1, Uint8Array.of(1, 2, 3), 0)).toBe(sqlite.OK);
    const back = new Uint8Array(3);
    expect(vfs.jRead(1, back, 0)).toBe(sqlite.OK);
    expect([...back]).toStrictEqual([1, 2, 3]);
    expect(vfs.jClose(1)).toBe(sqlite.OK);
    vfs.abandon();
    expect(readdirSync(place)).toStrictEqual(["a.db"]);
  });

  test("honours the flags of open", () => {
    const vfs = new NodeVFS("test", {}, "auto");
    const path = join(folder, "flags");
    expect(vfs.jOpen(path, 1, sqlite.OPEN_READWRITE, out())).toBe(sqlite.CANTOPEN);
    expect(vfs.takeSystemError()).toMatchObject({ code: "ENOENT" });
    expect(vfs.takeSystemError()).toBe(null);
    expect(vfs.jOpen(path, 1, OPEN | sqlite.OPEN_EXCLUSIVE, out())).toBe(sqlite.OK);
    expect(vfs.jOpen(path, 2, OPEN | sqlite.OPEN_EXCLUSIVE, out())).toBe(sqlite.CANTOPEN);
    expect(vfs.jOpen(path, 3, sqlite.OPEN_READONLY, out())).toBe(sqlite.OK);
    expect(vfs.jWrite(3, Uint8Array.of(1), 0)).toBe(sqlite.IOERR_WRITE);
    expect(vfs.jOpen(path, 4, OPEN | sqlite.OPEN_DELETEONCLOSE, out())).toBe(sqlite.OK);
    vfs.abandon();
    expect(existsSync(path)).toBe(false);
  });

  test("gives all names of a file one full name, and refuses one that is too long", () => {
    const vfs = new NodeVFS("test", {}, "auto");
    mkdirSync(join(folder, "real"));
    symlinkSync(join(folder, "real"), join(folder, "link"));
    const full = (name: string): string => {
      const bytes = new Uint8Array(300).fill(0xee);
      const code = vfs.jFullPathname(name, bytes);
      return code === sqlite.OK
        ? Buffer.from(bytes.subarray(0, bytes.indexOf(0))).toString()
        : `code ${code}`;
    };
    const expected = full(join(folder, "real", "x.db"));
    expect(expected.endsWith(join("real", "x.db"))).toBe(true);
    expect(full(join(folder, "link", ".", "x.db"))).toBe(expected);
    expect(full(join(folder, "real", "y".repeat(300)))).toBe(`code ${sqlite.CANTOPEN}`);
    expect(full(join(folder, "nowhere", "x.db"))).toBe(`code ${sqlite.CANTOPEN}`);
  });
});
