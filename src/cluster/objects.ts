import type { JetStreamManager } from "@nats-io/jetstream";
import type { ObjectStore } from "@nats-io/obj";
import { badClusterData } from "./bad-cluster-data.ts";

/** An object is cut into messages of this many bytes; a server accepts 1 MiB unless it is set otherwise. */
const PIECE_BYTES = 512 << 10;
const PUT_MS = 30_000;
const GET_MS = 60_000;
/** An object that two put at once changes its place under a reader, who then reads again. */
const TRIES = 5;

/** Objects of one kind, each under the name that says what it contains: what has a name never changes. */
export class Objects {
  readonly #store: ObjectStore;
  readonly #manager: JetStreamManager;

  constructor(store: ObjectStore, manager: JetStreamManager) {
    this.#store = store;
    this.#manager = manager;
  }

  /** Returns the size of an object in bytes; null if there is none of this name. */
  async size(name: string): Promise<number | null> {
    const info = await this.#store.info(name);
    return info === null || info.deleted ? null : info.size;
  }

  /** Stores an object, unless one of this name and size is there. */
  async put(name: string, bytes: Uint8Array): Promise<void> {
    if ((await this.size(name)) === bytes.length) return;
    const options = { max_chunk_size: PIECE_BYTES };
    await this.#store.putBlob({ name, options }, bytes, { timeout: PUT_MS });
  }

  /**
   * Returns an object that passes a check; null if there is none. It is read again if the check fails: another process may
   * have just put the same one.
   *
   * @param most longer ones are refused before they are read
   * @throws {SelfsameError} BAD_CLUSTER_DATA
   */
  async get<T>(name: string, most: number, check: (bytes: Uint8Array) => T): Promise<T | null> {
    for (let attempt = 1; ; attempt++) {
      const info = await this.#store.info(name);
      if (info === null || info.deleted) return null;
      if (info.size > most) throw badClusterData(`object ${name} of at most ${most} bytes`, `${info.size}`);
      try {
        const bytes =
          info.chunks <= 1 ? await this.#one(info.nuid, info.size) : await this.#all(name, info.size);
        return check(bytes);
      } catch (error) {
        if (attempt === TRIES) throw error;
        await new Promise((resume) => setTimeout(resume, 50 * attempt));
      }
    }
  }

  /** Removes an object. */
  async remove(name: string): Promise<void> {
    await this.#store.delete(name);
  }

  /** Returns the names and sizes of all objects, and when each was stored, in milliseconds since 1970. */
  async list(): Promise<{ readonly name: string; readonly size: number; readonly at: number }[]> {
    const all = await this.#store.list();
    return all.map(({ name, size, mtime }) => ({ name, size, at: Date.parse(mtime) }));
  }

  /** What is one message is read as one: the general way makes a consumer for each object. */
  async #one(nuid: string, size: number): Promise<Uint8Array> {
    if (size === 0) return new Uint8Array(0);
    const { bucket } = await this.#bucket();
    const found = await this.#manager.streams.getMessage(`OBJ_${bucket}`, {
      last_by_subj: `$O.${bucket}.C.${nuid}`,
    });
    if (found === null || found.data.length !== size)
      throw badClusterData(`${size} bytes of an object`, `${found?.data.length ?? "none"}`);
    return found.data;
  }

  async #all(name: string, size: number): Promise<Uint8Array> {
    const found = await this.#store.get(name);
    if (found === null) throw badClusterData(`object ${name}`, "none");
    const bytes = new Uint8Array(size);
    let at = 0;
    const reader = found.data.getReader();
    const late = setTimeout(() => void reader.cancel().catch(() => undefined), GET_MS);
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        if (at + value.length > size) throw badClusterData(`${size} bytes of ${name}`, "more");
        bytes.set(value, at);
        at += value.length;
      }
    } finally {
      clearTimeout(late);
    }
    if (at !== size) throw badClusterData(`${size} bytes of ${name}`, `${at}`);
    return bytes;
  }

  #known: { readonly bucket: string } | null = null;

  async #bucket(): Promise<{ readonly bucket: string }> {
    this.#known ??= { bucket: (await this.#store.status()).bucket };
    return this.#known;
  }
}
