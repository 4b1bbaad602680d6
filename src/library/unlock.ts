import { SelfsameError } from "../errors/selfsame-error.ts";
import type { ClearedLock } from "../store/failure.ts";
import { clearLocks } from "../store/open-database.ts";
import { type Finding, findingOf, ok, problem } from "./finding.ts";

/**
 * Removes the lock files that dead processes left beside a library, and reports whose they were. The lock of a process
 * that is running, or that may be running elsewhere, stays. In browsers there are none.
 *
 * @example
 * const findings = await unlock("notes.db");
 * findings.every(({ verdict }) => verdict === "ok");
 */
export async function unlock(library: string): Promise<Finding[]> {
  try {
    const locks = await clearLocks(library);
    return locks.length === 0 ? [ok("lock", "there is none")] : locks.map(lockFinding);
  } catch (error) {
    if (error instanceof SelfsameError) return [findingOf("lock", error)];
    return [problem("lock", (error as Error).message, "Check the name of the library and its permissions")];
  }
}

function lockFinding({ file, pid, host, silentMs, state }: ClearedLock): Finding {
  const owner = pid === null ? "an unknown process" : `process ${pid} on host ${host}`;
  const sign = `last sign of life ${Math.round(silentMs / 1000)} s ago`;
  switch (state) {
    case "removed":
      return ok("lock", `${file}: removed, left by ${owner}, ${sign}`);
    case "held":
      return problem(
        "lock",
        `${file}: held by ${owner}, which is running`,
        "Wait for it to finish, or end it",
      );
    case "recent":
      return problem(
        "lock",
        `${file}: left by ${owner}, which may be running in another container or on another machine, ${sign}`,
        "Make sure that it has ended, then try again 30 s after its last sign of life",
      );
    case "stays":
      return problem(
        "lock",
        `${file}: left by ${owner}, which has ended, and cannot be removed`,
        "Allow writing to its folder, or remove it by hand",
      );
  }
}
