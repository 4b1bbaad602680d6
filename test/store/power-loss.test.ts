import * as nodeFs from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { deleteDocument } from "#dist/store/documents.js";
import type { FileSystem } from "#dist/store/file-system.node.js";
import { openDatabase } from "#dist/store/open.node.js";
import { checkIntegrity, prepareSchema } from "#dist/store/schema.js";
import { splitmix32 } from "../reference/prng.ts";
import { sampleChunk, sampleDocument, sampleId } from "./sample.ts";
import { scratchFolder } from "./scratch.ts";

const IMAGES = import.meta.env.MODE === "long" ? 1500 : 80;
const TRANSACTIONS = 8;
const SECTOR = 512;
const folder = scratchFolder();

type Change = { readonly offset: number; readonly bytes: Buffer } | { readonly size: number };

/** A file: what is on the platter, and what has been written since but not synced. */
interface Inode {
  durable: Buffer;
  pending: Change[];
}

/** What has been done to one name of the folder since the folder was synced: which file it names, null for none. */
interface Entry {
  durable: Inode | null;
  pending: (Inode | null)[];
}

/**
 * node:fs on a disk that keeps nothing it was not told to sync, except by luck: of everything later, any sectors of
 * any writes, and any first part of what was done to a name.
 */
class FickleDisk {
  readonly entries = new Map<string, Entry>();
  readonly #open = new Map<number, Inode>();
  readonly #random: () => number;
  /** Called before each change and each sync. */
  onEvent: () => void = () => {};

  constructor(seed: number) {
    this.#random = splitmix32(seed);
  }

  fileSystem(): FileSystem {
    return {
      ...nodeFs,
      openSync: (path, flags, mode) => this.#openFile(String(path), flags, mode),
      closeSync: (fd) => {
        this.#open.delete(fd);
        nodeFs.closeSync(fd);
      },
      writeSync: ((fd: number, bytes: Uint8Array, start: number, length: number, offset: number) => {
        this.onEvent();
        const written = nodeFs.writeSync(fd, bytes, start, length, offset);
        this.#open
          .get(fd)!
          .pending.push({ offset, bytes: Buffer.from(bytes.subarray(start, start + written)) });
        return written;
      }) as typeof nodeFs.writeSync,
      ftruncateSync: (fd, size) => {
        this.onEvent();
        nodeFs.ftruncateSync(fd, size);
        this.#open.get(fd)!.pending.push({ size: size ?? 0 });
      },
      unlinkSync: (path) => {
        this.onEvent();
        nodeFs.unlinkSync(path);
        this.entries.get(basename(String(path)))!.pending.push(null);
      },
      fsyncSync: (fd) => this.#sync(fd),
      fdatasyncSync: (fd) => this.#sync(fd),
    };
  }

  /** Writes what a loss of power now might leave into a new folder. */
  image(target: string): void {
    nodeFs.mkdirSync(target);
    for (const [name, entry] of this.entries) {
      const kept = this.#below(entry.pending.length + 1);
      const inode = kept === 0 ? entry.durable : entry.pending[kept - 1]!;
      if (inode !== null) nodeFs.writeFileSync(join(target, name), this.#survivor(inode));
    }
  }

  #openFile(path: string, flags: nodeFs.OpenMode, mode?: nodeFs.Mode | null): number {
    const isNew = !nodeFs.existsSync(path);
    if (isNew) this.onEvent();
    const fd = nodeFs.openSync(path, flags, mode);
    if (nodeFs.fstatSync(fd).isDirectory()) return fd;
    const name = basename(path);
    let entry = this.entries.get(name);
    if (entry === undefined) {
      entry = { durable: null, pending: [] };
      this.entries.set(name, entry);
    }
    if (isNew) entry.pending.push({ durable: Buffer.alloc(0), pending: [] });
    this.#open.set(fd, (entry.pending.at(-1) ?? entry.durable)!);
    return fd;
  }

  #sync(fd: number): void {
    this.onEvent();
    const inode = this.#open.get(fd);
    if (inode !== undefined) {
      inode.durable = inode.pending.reduce((bytes, change) => apply(bytes, change), inode.durable);
      inode.pending = [];
      return;
    }
    for (const entry of this.entries.values()) {
      if (entry.pending.length > 0) entry.durable = entry.pending.at(-1)!;
      entry.pending = [];
    }
  }

  #survivor({ durable, pending }: Inode): Buffer {
    let bytes = durable;
    for (const change of pending) {
      const luck = this.#below(3);
      if (luck === 0) continue;
      bytes = luck === 1 || "size" in change ? apply(bytes, change) : this.#tear(bytes, change);
    }
    return bytes;
  }

  /** Applies some of the sectors of a write. */
  #tear(bytes: Buffer, change: { offset: number; bytes: Buffer }): Buffer {
    let result = bytes;
    for (let at = 0; at < change.bytes.length; at += SECTOR) {
      if (this.#below(2) === 0) continue;
      result = apply(result, { offset: change.offset + at, bytes: change.bytes.subarray(at, at + SECTOR) });
    }
    return result;
  }

  #below(limit: number): number {
    return this.#random() % limit;
  }
}

function apply(bytes: Buffer, change: Change): Buffer {
  if ("size" in change) {
    const result = Buffer.alloc(change.size);
    bytes.copy(result);
    return result;
  }
  const result = Buffer.alloc(Math.max(bytes.length, change.offset + change.bytes.length));
  bytes.copy(result);
  change.bytes.copy(result, change.offset);
  return result;
}

test("a loss of power at any moment keeps every commit, and nothing of what was not committed", async () => {
  const disk = new FickleDisk(5);
  const random = splitmix32(6);
  const images: { path: string; committed: number }[] = [];
  let committed = 0;
  let events = 0;
  disk.onEvent = () => {
    events++;
    // About 3 of 4 events of a run are writes of pages in mid-transaction; the rest is where it is decided.
    if (images.length >= IMAGES || random() % 2400 >= IMAGES * 2) return;
    const path = join(folder, `image${images.length}`);
    disk.image(path);
    images.push({ path, committed });
  };
  const work = join(folder, "work");
  nodeFs.mkdirSync(work);
  const database = await openDatabase(join(work, "a.db"), { fileSystem: disk.fileSystem() });
  prepareSchema(database);
  database.exec("PRAGMA cache_size = 10");
  for (let batch = 0; batch < TRANSACTIONS; batch++) {
    database.transaction(() => {
      for (let i = 0; i < 10; i++) {
        const number = batch * 10 + i;
        sampleDocument(database, number, `${number}.md`, "text ".repeat(number * 20));
        sampleChunk(database, number, 0, `words of document ${number} ${"and more ".repeat(60)}`);
        if (i < 3 && batch > 0) {
          deleteDocument(database, sampleId(1, number - 10));
        }
      }
    });
    committed++;
  }
  database.close();
  expect(events).toBeGreaterThan(500);
  expect(images.length).toBeGreaterThan(IMAGES / 2);

  for (const image of images) {
    const reopened = await openDatabase(join(image.path, "a.db"));
    prepareSchema(reopened);
    checkIntegrity(reopened);
    const found = reopened.get<{ n: number }>("SELECT count(*) AS n FROM documents")!.n;
    // 10 per transaction, 3 of which the next one removes.
    const expected = (count: number) => (count === 0 ? 0 : count * 7 + 3);
    expect([expected(image.committed), expected(image.committed + 1)]).toContain(found);
    reopened.close();
    nodeFs.rmSync(image.path, { recursive: true });
  }
});
