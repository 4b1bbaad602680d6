import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { lifeOf, type ProcessIdentity, thisProcess } from "./process-identity.node.ts";

// A claim is a small file that says which process holds something. It is complete from the moment it exists.
//
// Its owner touches it regularly. If the owner of a claim cannot be looked up (another container, another machine), the
// claim counts as left by a dead process once its time is SILENT_MS or more away from now, and the process that wants
// it has watched it for WATCHED_MS without seeing a touch. The time difference counts in both directions, so that no
// claim lasts forever after a clock was set back. The watch is timed by a monotonic clock, so that a clock that jumps
// forward kills no active owner.

/** How often the owner touches its claim while it works. */
const TOUCH_EVERY_MS = 1000;
export const SILENT_MS = 30_000;
export const WATCHED_MS = 3000;

const CLAIM_BYTES_MAX = 4096;
const TOKEN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The content of a claim: the owner, and a token that no other claim has. */
export type Claim = ProcessIdentity & { readonly token: string };

/** A claim that was found; `claim` is null if its text is damaged. */
export interface FoundClaim {
  readonly claim: Claim | null;
  /** When its owner last touched it. */
  readonly touchedMs: number;
  /** Changes with every touch and every owner. */
  readonly version: string;
}

/** A claim of this process. The file stays open, so that no other file gets its inode number. */
export class HeldClaim {
  readonly #path: string;
  readonly #token: string;
  readonly #fd: number;
  readonly #inode: bigint;
  #touchedAt = performance.now();

  private constructor(path: string, token: string, fd: number) {
    this.#path = path;
    this.#token = token;
    this.#fd = fd;
    this.#inode = fs.fstatSync(fd, { bigint: true }).ino;
  }

  /**
   * Creates the claim at `path` in one step: it is written under another name and linked. Returns null if another
   * process holds the claim. The claim of a dead process is removed first.
   */
  static take(path: string): HeldClaim | null {
    for (let attempt = 0; attempt < 3; attempt++) {
      const claim = HeldClaim.#link(path);
      if (claim !== null) return claim;
      if (isHeld(path)) return null;
    }
    return null;
  }

  static #link(path: string): HeldClaim | null {
    const token = randomUUID();
    const draft = draftPath(path, token);
    const fd = fs.openSync(draft, "wx");
    try {
      fs.writeSync(fd, JSON.stringify({ ...thisProcess(), token }));
      fs.linkSync(draft, path);
      return new HeldClaim(path, token, fd);
    } catch (error) {
      fs.closeSync(fd);
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return null;
      throw error;
    } finally {
      fs.rmSync(draft, { force: true });
    }
  }

  /** True as long as nobody has taken over the claim. */
  isOurs(): boolean {
    const there = fs.lstatSync(this.#path, { bigint: true, throwIfNoEntry: false });
    if (there === undefined) return false;
    // Some hosts do not report inode numbers.
    return this.#inode === 0n
      ? findClaim(this.#path)?.claim?.token === this.#token
      : there.ino === this.#inode;
  }

  /** Shows that this process is alive. Does nothing if that was done within the last second. */
  touch(): void {
    const now = performance.now();
    if (now - this.#touchedAt < TOUCH_EVERY_MS) return;
    this.#touchedAt = now;
    const date = new Date();
    fs.futimesSync(this.#fd, date, date);
  }

  release(): void {
    try {
      if (this.isOurs()) fs.rmSync(this.#path, { force: true });
    } finally {
      fs.closeSync(this.#fd);
    }
  }
}

/** Writes a claim over whatever is at `path`. It only names this process in messages; nobody waits for it. */
export function writeHint(path: string): void {
  fs.rmSync(path, { force: true });
  fs.writeFileSync(path, JSON.stringify({ ...thisProcess(), token: randomUUID() }), { flag: "wx" });
}

/** True if the claim exists and its owner may be alive. The claim of a dead owner is removed. */
export function isHeld(path: string): boolean {
  const found = findClaim(path);
  return found !== null && !(isDead(path, found) && remove(path));
}

/** Reads the claim at `path` without following links. Returns null if there is none. */
export function findClaim(path: string): FoundClaim | null {
  // Nearly always there is none, and lstat costs a tenth of a failed open. Some hosts also ignore O_NOFOLLOW.
  const there = fs.lstatSync(path, { throwIfNoEntry: false });
  if (there === undefined) return null;
  if (!there.isFile()) throw notAFile(path);
  let fd: number;
  try {
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
    fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    throw code === "ELOOP" ? notAFile(path) : error;
  }
  try {
    const bytes = new Uint8Array(CLAIM_BYTES_MAX);
    const text = new TextDecoder().decode(bytes.subarray(0, fs.readSync(fd, bytes, 0, bytes.length, 0)));
    const { ino, mtimeNs } = fs.fstatSync(fd, { bigint: true });
    return {
      claim: parse(text),
      touchedMs: Number(mtimeNs / 1_000_000n),
      version: `${ino} ${mtimeNs} ${text}`,
    };
  } finally {
    fs.closeSync(fd);
  }
}

/** The claims that this process watches, by path: their version, and since when by the monotonic clock. */
const watched = new Map<string, { readonly version: string; readonly since: number }>();

/** True if the owner of a claim has ended, either for certain or by the rule above. */
export function isDead(path: string, { claim, touchedMs, version }: FoundClaim): boolean {
  const life = claim === null ? "unknown" : lifeOf(claim);
  if (life !== "unknown") return life === "ended";
  const watch = watched.get(path);
  if (watch?.version !== version) {
    watched.set(path, { version, since: performance.now() });
    return false;
  }
  return Math.abs(Date.now() - touchedMs) >= SILENT_MS && performance.now() - watch.since >= WATCHED_MS;
}

/**
 * Removes the claim of a dead owner, while holding a separate claim for the removal. Without that, if two processes
 * found it dead, the slower one could remove the claim that the faster one had taken meanwhile. With it, only its owner
 * can remove the claim that is read again inside: if one is there, it is new and not dead.
 */
function remove(path: string): boolean {
  let guard: HeldClaim | null;
  try {
    guard = HeldClaim.take(`${path}-clear`);
  } catch {
    // This process may not remove it, but its owner is dead all the same.
    return true;
  }
  if (guard === null) return false;
  try {
    const found = findClaim(path);
    if (found === null) return true;
    if (!isDead(path, found)) return false;
    // The owner may have died before it removed its draft.
    if (found.claim !== null) fs.rmSync(draftPath(path, found.claim.token), { force: true });
    fs.rmSync(path, { force: true });
    watched.delete(path);
    return true;
  } finally {
    guard.release();
  }
}

function draftPath(path: string, token: string): string {
  return `${path}.${token}`;
}

function parse(text: string): Claim | null {
  let value: Partial<Claim> | null;
  try {
    value = JSON.parse(text) as Partial<Claim> | null;
  } catch {
    return null;
  }
  const { pid, started, boot, namespace, host, token } = value ?? {};
  const isWhole =
    Number.isSafeInteger(pid) &&
    pid! > 0 &&
    [started, boot, namespace, host].every((part) => typeof part === "string") &&
    TOKEN.test(String(token)); // part of a file name
  return isWhole ? (value as Claim) : null;
}

function notAFile(path: string): SelfsameError {
  return new SelfsameError(
    "DATABASE_CANNOT_OPEN",
    `expected a regular file or nothing at ${path}, got a link, folder or device`,
    "Remove it: Selfsame creates only regular files there",
  );
}
