import { realpathSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { findClaim, isHeld, SILENT_MS, WATCHED_MS } from "./claim-file.node.ts";
import type { ClearedLock } from "./failure.ts";
import { lockFileOf } from "./lock-file.node.ts";
import { lifeOf } from "./process-identity.node.ts";

const LOOK_EVERY_MS = 100;

/** Removes the lock files of a database whose holders have ended, and reports each file that it found. */
export async function clearLocks(database: string): Promise<ClearedLock[]> {
  const path = realpathSync(database);
  const lock = lockFileOf(path);
  const reports: ClearedLock[] = [];
  // Claims that protect the removal of others come first.
  for (const file of [`${lock}-next-clear`, `${lock}-clear`, `${lock}-next`, lock, `${path}-holder`]) {
    const report = await clear(file);
    if (report !== null) reports.push(report);
  }
  return reports;
}

async function clear(file: string): Promise<ClearedLock | null> {
  const end = performance.now() + WATCHED_MS + 5 * LOOK_EVERY_MS;
  for (;;) {
    const found = findClaim(file);
    if (found === null) return null;
    const { claim, touchedMs } = found;
    const life = claim === null ? "unknown" : lifeOf(claim);
    const silentMs = Math.abs(Date.now() - touchedMs);
    const report = { file, pid: claim?.pid ?? null, host: claim?.host ?? null, silentMs };
    if (!isHeld(file)) return { ...report, state: findClaim(file) === null ? "removed" : "stays" };
    if (life === "running") return { ...report, state: "held" };
    if (performance.now() > end) return { ...report, state: silentMs < SILENT_MS ? "recent" : "held" };
    await pause(LOOK_EVERY_MS);
  }
}
