import { download } from "./download.ts";
import { checkFile, type PinnedFile } from "./pinned-file.ts";

/** How far the download of a model's file has come. */
export interface ModelProgress {
  /** Its path in the model's manifest. */
  readonly file: string;
  /** Bytes that are there. */
  readonly bytes: number;
  /** Bytes in all. */
  readonly bytesTotal: number;
}

const CACHE = "selfsame-models";

let listener: ((event: ModelProgress) => void) | undefined;

/** From now on, downloads of this thread are told to `listen`. */
export function onModelProgress(listen: (event: ModelProgress) => void): void {
  listener = listen;
}

/**
 * A file of a model, from the browser's cache or, once, from the server. It is kept under its digest, not its address:
 * what another server holds, or the same one later, cannot take its place, and only bytes with that digest go in.
 */
export async function readPinned(url: URL, file: PinnedFile): Promise<Uint8Array<ArrayBuffer>> {
  const cache = await openCache();
  if (cache === null) return fetched(url, file);
  const key = `${globalThis.location.origin}/.selfsame/${file.sha256}`;
  const known = await take(cache, key, file);
  if (known !== null) return known;
  // Other threads and tabs want the same file at the same time: one of them downloads it.
  return inTurn(`selfsame-model-${file.sha256}`, async () => {
    const meanwhile = await take(cache, key, file);
    if (meanwhile !== null) return meanwhile;
    const bytes = await fetched(url, file);
    // Without room for it, it serves this time all the same.
    await cache.put(key, new Response(bytes)).catch(() => undefined);
    return bytes;
  });
}

/** The cache; null where there is none: in a private window of Firefox, for instance. */
async function openCache(): Promise<Cache | null> {
  try {
    return await globalThis.caches.open(CACHE);
  } catch {
    return null;
  }
}

/** What is kept, if it is whole; what is not is thrown away. */
async function take(cache: Cache, key: string, file: PinnedFile): Promise<Uint8Array<ArrayBuffer> | null> {
  const response = await cache.match(key);
  if (response === undefined) return null;
  try {
    const bytes = new Uint8Array(await response.arrayBuffer());
    await checkFile(bytes, file);
    return bytes;
  } catch {
    await cache.delete(key);
    return null;
  }
}

function fetched(url: URL, file: PinnedFile): Promise<Uint8Array<ArrayBuffer>> {
  return download(url, file, (bytes) => listener?.({ file: file.path, bytes, bytesTotal: file.bytes }));
}

function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator.locks as LockManager | undefined;
  return locks === undefined ? work() : (locks.request(name, work) as Promise<T>);
}
