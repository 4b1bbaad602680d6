import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { blake3, DIGEST_BYTES, toHex } from "../engine/digest.ts";
import { tagField, taggedHash } from "../identity/tagged-hash.ts";
import { badClusterData } from "./bad-cluster-data.ts";
import type { Connection } from "./connection.ts";
import { inOrder } from "./in-order.ts";
import { persistently } from "./persistently.ts";

/** A file is stored in parts of this many bytes. After a small change, most parts are as before, and stored already. */
const PART_BYTES = 4 << 20;
/** 4 TiB; longer lists are refused. */
const PARTS_MAX = 1 << 20;
const AT_ONCE = 4;

const FILE = tagField("file");

/** Where the file of a shard is. */
export interface StoredFile {
  /** The digest of its parts, in hexadecimal. */
  readonly file: string;
  readonly bytes: number;
}

/** The files of shards: parts by digest in the object store, and whole in a folder of this machine. SPEC §29.14 */
export class ShardFiles {
  readonly #connection: Connection;
  readonly folder: string;
  readonly #fetching = new Map<string, Promise<string>>();

  constructor(connection: Connection, folder: string) {
    this.#connection = connection;
    this.folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Returns the path at which a file is kept on this machine. */
  pathOf(file: string): string {
    return join(this.folder, `${file}.db`);
  }

  /** Returns a path for a file that is being made. */
  scratch(): string {
    return join(this.folder, `making-${crypto.randomUUID()}.db`);
  }

  /** Stores a finished file, keeps it under its digest on this machine, and says what it is called. */
  async store(path: string, signal?: AbortSignal): Promise<StoredFile> {
    const { objects } = this.#connection;
    const digests: string[] = [];
    const put = async (part: Uint8Array) => {
      const digest = toHex(blake3(this.#connection.engine, part));
      await persistently(() => objects.files.put(digest, part), { signal });
      return digest;
    };
    for await (const digest of inOrder(partsOf(path), AT_ONCE, put)) digests.push(digest);
    const list = listOf(digests);
    const file = this.#digestOf(list);
    await persistently(() => objects.files.put(file, list), { signal });
    const { size } = statSync(path);
    await rename(path, this.pathOf(file));
    return { file, bytes: size };
  }

  /** Stores again what is missing of files that this machine has. */
  async restore(files: readonly StoredFile[]): Promise<void> {
    for (const { file } of files) {
      if (!existsSync(this.pathOf(file))) continue;
      const names = await this.partNames(file);
      const sizes =
        names === null
          ? [null]
          : await Promise.all(
              names.map((name) => persistently(() => this.#connection.objects.files.size(name))),
            );
      if (!sizes.includes(null)) continue;
      const path = this.scratch();
      await rename(this.pathOf(file), path);
      await this.store(path);
    }
  }

  /** Returns the path of a file on this machine; it is fetched and checked if it is not there. */
  fetch(stored: StoredFile, signal?: AbortSignal): Promise<string> {
    const path = this.pathOf(stored.file);
    if (existsSync(path)) {
      const now = new Date();
      utimesSync(path, now, now); // it is in use: `tidy` keeps it
      return Promise.resolve(path);
    }
    let fetching = this.#fetching.get(stored.file);
    if (fetching === undefined) {
      fetching = this.#fetch(stored, signal).finally(() => this.#fetching.delete(stored.file));
      this.#fetching.set(stored.file, fetching);
    }
    return fetching;
  }

  async #fetch({ file, bytes }: StoredFile, signal: AbortSignal | undefined): Promise<string> {
    const names = await this.partNames(file);
    if (names === null) throw badClusterData(`the file ${file} of a shard`, "none in the object store");
    if (names.length !== Math.ceil(bytes / PART_BYTES))
      throw badClusterData(`${bytes} bytes of the file ${file}`, `${names.length} parts`);
    const path = this.scratch();
    const handle = await open(path, "wx", 0o600);
    try {
      let at = 0;
      for await (const part of inOrder(names, AT_ONCE, (name) => this.#part(name, signal))) {
        await handle.write(part, 0, part.length, at);
        at += part.length;
      }
      if (at !== bytes) throw badClusterData(`${bytes} bytes of the file ${file}`, `${at}`);
      await handle.close();
      await rename(path, this.pathOf(file));
      return this.pathOf(file);
    } catch (error) {
      await handle.close().catch(() => undefined);
      rmSync(path, { force: true });
      throw error;
    }
  }

  async #part(name: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const { objects, engine } = this.#connection;
    const part = await persistently(
      () =>
        objects.files.get(name, PART_BYTES, (bytes) => {
          const digest = toHex(blake3(engine, bytes));
          if (digest !== name)
            throw badClusterData(`part ${name} of a shard's file`, `other bytes, ${digest}`);
          return bytes;
        }),
      { signal },
    );
    if (part === null) throw badClusterData(`part ${name} of a shard's file`, "none in the object store");
    return part;
  }

  /** Returns the names of the objects that a file consists of, in order; null if it is not stored. */
  async partNames(file: string): Promise<string[] | null> {
    const { objects } = this.#connection;
    const list = await persistently(() =>
      objects.files.get(file, PARTS_MAX * DIGEST_BYTES, (bytes) => {
        if (bytes.length % DIGEST_BYTES !== 0 || this.#digestOf(bytes) !== file)
          throw badClusterData(`the parts of the file ${file}`, "another list");
        return bytes;
      }),
    );
    if (list === null) return null;
    const names: string[] = [];
    for (let at = 0; at < list.length; at += DIGEST_BYTES)
      names.push(toHex(list.subarray(at, at + DIGEST_BYTES)));
    return names;
  }

  /** Removes files of this machine that are not among those named and were not used for a while. */
  tidy(kept: ReadonlySet<string>, unusedMs: number): void {
    const before = Date.now() - unusedMs;
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name);
      const isKept = name.endsWith(".db") && kept.has(name.slice(0, -".db".length));
      if (!isKept && (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < before)
        rmSync(path, { force: true });
    }
  }

  #digestOf(list: Uint8Array): string {
    return toHex(taggedHash(this.#connection.engine, FILE, [list]));
  }
}

function listOf(digests: readonly string[]): Uint8Array {
  return new Uint8Array(Buffer.from(digests.join(""), "hex"));
}

async function* partsOf(path: string): AsyncGenerator<Uint8Array> {
  for await (const part of createReadStream(path, { highWaterMark: PART_BYTES }))
    yield new Uint8Array(part as Buffer);
}
