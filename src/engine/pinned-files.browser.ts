import { download } from "./download.ts";
import { checkFile, type PinnedFile } from "./pinned-file.ts";

/** Progress of the download of a model's file. */
export interface ModelProgress {
  /** Its path in the model's manifest. */
  readonly file: string;
  /** Bytes received. */
  readonly bytes: number;
  /** Bytes in total. */
  readonly bytesTotal: number;
}

const CACHE = "selfsame-models";

let listener: ((event: ModelProgress) => void) | undefined;

/** Reports downloads of this thread to `listen` from now on. */
export function onModelProgress(listen: (event: ModelProgress) => void): void {
  listener = listen;
}

/**
 * Returns a file of a model, from the browser's cache or, once, from the server. It is stored under its digest, not its
 * address, and only bytes with that digest are stored. So a file from another server, or a later one from the same
 * server, cannot replace it.
 */
export async function readPinned(url: URL, file: PinnedFile): Promise<Uint8Array<ArrayBuffer>> {
  const cache = await openCache();
  if (cache === null) return fetched(url, file);
  const key = `${globalThis.location.origin}/.selfsame/${file.sha256}`;
  const known = await take(cache, key, file);
  if (known !== null) return known;
  // Other threads and tabs may want the same file at the same time: only one of them downloads it.
  return inTurn(`selfsame-model-${file.sha256}`, async () => {
    const meanwhile = await take(cache, key, file);
    if (meanwhile !== null) return meanwhile;
    const bytes = await fetched(url, file);
    // If there is no room to store it, it can still be used this time.
    await cache.put(key, new Response(bytes)).catch(() => undefined);
    return bytes;
  });
}

/** Returns the cache; null if there is none, for instance in a private window of Firefox. */
async function openCache(): Promise<Cache | null> {
  try {
    return await globalThis.caches.open(CACHE);
  } catch {
    return null;
  }
}

/** Returns the stored file if it is complete; deletes it if it is not. */
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
