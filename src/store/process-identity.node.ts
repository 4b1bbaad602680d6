import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Identifies one run of one process on one machine. A pid alone does not: the system may reuse it for another process.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, as the system writes it; "" if the system does not say. */
  readonly started: string;
  /** Which boot of which machine; containers share it with their host. "" if unknown. */
  readonly boot: string;
  /** The pid namespace in which the pid is valid; "" if unknown. */
  readonly namespace: string;
  /** The host name, only for messages: names can be shared and can change. */
  readonly host: string;
}

/** "unknown": the process runs where its pid means nothing here, such as in another container or on another machine. */
export type Life = "running" | "ended" | "unknown";

let own: ProcessIdentity | null = null;

export function thisProcess(): ProcessIdentity {
  own ??= {
    pid: process.pid,
    started: startOf(process.pid) ?? "",
    boot: bootId(),
    namespace: process.platform === "linux" ? pidNamespace() : "none",
    host: hostName(),
  };
  return own;
}

/** True if the pid of that process can be looked up here. */
export function isSamePlace({ boot, namespace }: ProcessIdentity): boolean {
  const here = thisProcess();
  return boot !== "" && boot === here.boot && namespace !== "" && namespace === here.namespace;
}

/**
 * Tells whether a process still runs. A different boot id does not prove that it has ended: it may be another machine
 * on a network drive. A reused namespace number is harmless: then either the pid or its start differs.
 */
export function lifeOf(identity: ProcessIdentity): Life {
  if (!isSamePlace(identity)) return "unknown";
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return "ended";
  }
  const started = startOf(identity.pid);
  if (started === null || identity.started === "") return "running";
  return started === identity.started ? "running" : "ended";
}

/** Returns the start of a running process; "ended" for a zombie; null if the system does not say. */
function startOf(pid: number): string | null {
  if (process.platform === "linux") {
    const stat = textOf(`/proc/${pid}/stat`);
    if (stat === "") return null;
    // The second field is the command in parentheses and may contain anything, so count from the last ")".
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, startTicks] = [fields[0]!, fields[19]!];
    return state === "Z" || state === "X" ? "ended" : startTicks;
  }
  if (process.platform === "win32") return null;
  return outputOf("ps", ["-o", "lstart=", "-p", String(pid)]) || null;
}

function bootId(): string {
  if (process.platform === "linux") return textOf("/proc/sys/kernel/random/boot_id");
  if (process.platform === "darwin") return outputOf("sysctl", ["-n", "kern.bootsessionuuid"]);
  return hostName();
}

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function hostName(): string {
  try {
    return hostname();
  } catch {
    return ""; // Deno without permission
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}

/**
 * Returns the output of a program in a fixed language and time zone, so that two processes read the same; "" if it
 * fails.
 */
function outputOf(program: string, args: readonly string[]): string {
  try {
    const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
    return execFileSync(program, args, { encoding: "utf8", env, stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "";
  }
}
