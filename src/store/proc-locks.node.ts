import { fstatSync, readFileSync } from "node:fs";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { PENDING_BYTE, SHARED_FIRST, SHARED_SIZE } from "./codes.ts";

const TABLE = "/proc/locks";

/** A lock that Linux lists on SQLite's lock bytes of a file. */
export interface ListedLock {
  readonly isExclusive: boolean;
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the kernel locks on a file's PENDING, RESERVED and SHARED bytes, whoever holds them. Open-file-description
 * locks are listed in every container of the machine. Other systems have no such list.
 */
export function listedLocks(fd: number): ListedLock[] {
  if (process.platform !== "linux") return [];
  // 1: OFDLCK ADVISORY  READ -1 fe:00:1311 1073741826 1073742335
  // Devices are not compared, since some file systems list another one: at worst we wait needlessly.
  const inode = `:${fstatSync(fd, { bigint: true }).ino} `;
  return table()
    .split("\n")
    .filter((line) => line.includes(inode))
    .map((line) => {
      const fields = line.trim().split(/\s+/);
      const [first, last] = fields.slice(-2) as [string, string];
      return {
        isExclusive: fields.includes("WRITE"),
        first: Number(first),
        last: last === "EOF" ? Number.POSITIVE_INFINITY : Number(last),
      };
    })
    .filter(({ first, last }) => first < SHARED_FIRST + SHARED_SIZE && last >= PENDING_BYTE);
}

function table(): string {
  try {
    return readFileSync(TABLE, "utf8");
  } catch (cause) {
    // On a system without the list, no process relies on it (lock.node.ts).
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new SelfsameError(
      "DATABASE_CANNOT_OPEN",
      `expected to read ${TABLE}, which shows the locks of other processes, got ${(cause as Error).message}`,
      "Allow reading it; under Deno that takes --allow-all",
      { cause },
    );
  }
}
