import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Names one run of one process on one machine: a pid alone is given again to another process. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the system's own words; "" where the system does not say. */
  readonly started: string;
  /** Which boot of the machine; "" where the system does not say. */
  readonly boot: string;
  /** Which machine and which pid namespace: elsewhere, the pid means nothing. */
  readonly place: string;
}

let own: ProcessIdentity | null = null;

export function thisProcess(): ProcessIdentity {
  own ??= {
    pid: process.pid,
    started: startOf(process.pid) ?? "",
    boot: textOf("/proc/sys/kernel/random/boot_id"),
    place: `${hostname()} ${textOf("/etc/machine-id")} ${pidNamespace()}`,
  };
  return own;
}

/** True only where it is certain that the process has ended; a process on another machine is never "gone". */
export function isGone(identity: ProcessIdentity): boolean {
  const here = thisProcess();
  if (identity.place !== here.place) return false;
  if (identity.boot !== here.boot) return true;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return true;
  }
  const started = startOf(identity.pid);
  if (started === null || identity.started === "") return false;
  return started !== identity.started;
}

/** The start of a living process; "ended" for a zombie; null where the system does not say. */
function startOf(pid: number): string | null {
  if (process.platform === "linux") {
    const stat = textOf(`/proc/${pid}/stat`);
    if (stat === "") return null;
    // The second field is the command in parentheses and may hold anything, so count from the last ")".
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, startTicks] = [fields[0]!, fields[19]!];
    return state === "Z" || state === "X" ? "ended" : startTicks;
  }
  if (process.platform === "win32") return null;
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return null;
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}
