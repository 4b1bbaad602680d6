import type { Connection } from "./connection.ts";
import { type CurrentManifest, lastManifests, readManifest } from "./manifests.ts";
import { persistently } from "./persistently.ts";
import type { ShardFiles } from "./shard-files.ts";

/** What was removed. */
export interface CollectedGarbage {
  readonly manifests: number;
  readonly files: number;
  readonly results: number;
}

/**
 * Removes the objects that none of the last `keep` manifests of any canon names and that are older than the grace time: a
 * builder may have stored them for a manifest that it has not published yet. The results of jobs go when the manifest that
 * contains their vectors goes. Texts stay: everything can be made again from them. SPEC §29.14
 */
export async function collectGarbage(
  connection: Connection,
  files: ShardFiles,
  current: CurrentManifest,
  keep: number,
  graceMs: number,
): Promise<CollectedGarbage> {
  const { objects } = connection;
  const kept = new Set<string>();
  const named = new Set<string>();
  const jobs = new Set<string>();
  const local = new Set<string>();
  for (const head of await heads(connection, current))
    for (const { digest, manifest } of await lastManifests(connection, head, Math.max(2, keep))) {
      kept.add(digest);
      for (const job of manifest.jobs) jobs.add(job);
      for (const { file } of manifest.shards) {
        local.add(file);
        if (named.has(file)) continue;
        named.add(file);
        for (const part of (await files.partNames(file)) ?? []) named.add(part);
      }
    }
  const before = Date.now() - graceMs;
  const removed = { manifests: 0, files: 0, results: 0 };
  for (const { name, at } of await persistently(() => objects.manifests.list())) {
    if (kept.has(name) || at >= before) continue;
    const manifest = await readManifest(connection, name).catch(() => null);
    for (const job of manifest?.jobs ?? []) {
      if (jobs.has(job)) continue;
      await persistently(() => objects.results.remove(job));
      removed.results++;
    }
    await persistently(() => objects.manifests.remove(name));
    removed.manifests++;
  }
  for (const { name, at } of await persistently(() => objects.files.list())) {
    if (named.has(name) || at >= before) continue;
    await persistently(() => objects.files.remove(name));
    removed.files++;
  }
  files.tidy(local, graceMs);
  return removed;
}

/** Returns the manifests that count, of every canon. */
async function heads(connection: Connection, current: CurrentManifest): Promise<CurrentManifest[]> {
  const { decided } = connection;
  const all = [current];
  const keys: string[] = [];
  for await (const key of await persistently(() => decided.keys("manifest.*"))) keys.push(key);
  for (const key of keys) {
    const entry = await persistently(() => decided.get(key));
    const digest = entry?.string() ?? "";
    const manifest = await readManifest(connection, digest);
    if (manifest !== null && manifest.canon !== current.manifest.canon)
      all.push({ digest, manifest, revision: entry!.revision });
  }
  return all;
}
