import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Connection } from "./connection.ts";
import { decodeManifest, encodeManifest, MANIFEST_BYTES_MAX, type Manifest } from "./manifest.ts";
import { isDigest } from "./names.ts";
import { persistently } from "./persistently.ts";

/** The manifest that counts, and the revision of the entry that says so. */
export interface CurrentManifest {
  readonly digest: string;
  readonly manifest: Manifest;
  readonly revision: number;
}

/** Returns the manifest that counts for a canon; null if nothing was built yet. */
export async function currentManifest(
  connection: Connection,
  canon: string,
): Promise<CurrentManifest | null> {
  const entry = await persistently(() => connection.decided.get(keyOf(canon)));
  if (entry === null || entry.operation !== "PUT") return null;
  const digest = entry.string();
  const manifest = await readManifest(connection, digest);
  if (manifest === null || manifest.canon !== canon)
    throw new SelfsameError(
      "BAD_CLUSTER_DATA",
      `expected manifest ${digest} of canon ${canon} in the object store, got ${manifest === null ? "none" : "that of another"}`,
      "Restore the object store of NATS, or build from the operations again: selfsame cluster build --again",
    );
  return { digest, manifest, revision: entry.revision };
}

/** Returns a manifest by its digest; null if it is not stored (any more). */
export async function readManifest(
  { objects, engine }: Connection,
  digest: string,
): Promise<Manifest | null> {
  if (!isDigest(digest)) return null;
  return persistently(() =>
    objects.manifests.get(digest, MANIFEST_BYTES_MAX, (bytes) => decodeManifest(engine, digest, bytes)),
  );
}

/** Returns the manifest that counts and those before it, the newest first, at most `count` that are stored. */
export async function lastManifests(
  connection: Connection,
  current: CurrentManifest,
  count: number,
): Promise<{ readonly digest: string; readonly manifest: Manifest }[]> {
  const last: { digest: string; manifest: Manifest }[] = [current];
  while (last.length < count) {
    const { previous } = last.at(-1)!.manifest;
    const manifest = previous === null ? null : await readManifest(connection, previous);
    if (manifest === null) break;
    last.push({ digest: previous!, manifest });
  }
  return last;
}

/**
 * Makes a manifest the one that counts, if none has taken the place of `base` meanwhile: the entry is changed only at the
 * revision that was read. Returns null if another builder was faster. SPEC §29.14
 */
export async function publishManifest(
  connection: Connection,
  base: CurrentManifest | null,
  manifest: Manifest,
): Promise<CurrentManifest | null> {
  const { objects, decided, engine } = connection;
  const { bytes, digest } = encodeManifest(engine, manifest);
  await persistently(() => objects.manifests.put(digest, bytes));
  const key = keyOf(manifest.canon);
  return persistently(async () => {
    // An attempt before may have succeeded without an answer that reached us.
    const there = await decided.get(key);
    const isThere = there !== null && there.operation === "PUT";
    if (isThere && there.string() === digest) return { digest, manifest, revision: there.revision };
    if ((isThere ? there.revision : null) !== (base?.revision ?? null)) return null;
    try {
      const revision =
        base === null ? await decided.create(key, digest) : await decided.update(key, digest, base.revision);
      return { digest, manifest, revision };
    } catch (error) {
      if (isConflict(error)) return null;
      throw error;
    }
  });
}

function keyOf(canon: string): string {
  return `manifest.${canon}`;
}

/** JetStream refuses a change at another revision. */
function isConflict(error: unknown): boolean {
  return error instanceof Error && /wrong last sequence/i.test(error.message);
}
