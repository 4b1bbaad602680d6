import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { SelfsameError } from "#dist/errors/selfsame-error.js";
import { openDatabase } from "#dist/store/open.node.js";
import { thisProcess } from "#dist/store/process-identity.node.js";
import { prepareSchema } from "#dist/store/schema.js";
import { sampleDocument } from "./sample.ts";
import { scratchFolder } from "./scratch.ts";

const folder = scratchFolder();
const SUFFIXES = [
  ...["-journal", "-wal", "-shm", "-holder"],
  ...["-lock", "-lock-next", "-lock-clear", "-lock-next-clear"],
];
/** What a large ingest makes beside a library, which it then takes the place of. */
const NEXT_SUFFIXES = [".next", ".next-copy", ".next-journal"];
/** Above the largest pid of Linux. */
const PID_OF_NOBODY = 4_194_305;
const KINDS = ["file", "folder", "nothing", "pipe", "chain"] as const;
let count = 0;

/** A folder with a library, and one outside of it. */
async function place(): Promise<{ library: string; outside: string }> {
  const base = join(folder, `place${count++}`);
  const [inside, outside] = [join(base, "project"), join(base, "outside")];
  mkdirSync(inside, { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(outside, "secret"), "SECRET");
  const library = join(inside, "library.db");
  const database = await openDatabase(library);
  prepareSchema(database);
  sampleDocument(database, 1, "1.md", "x");
  database.close();
  return { library, outside };
}

function plant(name: string, outside: string, kind: (typeof KINDS)[number]): void {
  rmSync(name, { force: true });
  if (kind === "pipe") spawnSync("mkfifo", [name]);
  else if (kind === "file") symlinkSync(join(outside, "secret"), name);
  else if (kind === "folder") symlinkSync(outside, name);
  else if (kind === "nothing") symlinkSync(join(outside, "made"), name);
  else {
    symlinkSync(join(outside, "secret"), `${name}.next`);
    symlinkSync(`${name}.next`, name);
  }
}

/** Leaves the claim of a process that has ended. */
function leaveClaim(path: string): void {
  const claim = { ...thisProcess(), pid: PID_OF_NOBODY, token: randomUUID() };
  writeFileSync(path, JSON.stringify(claim));
}

/** Copies the library beside it, writes to the copy and puts it in the library's place, as a large ingest does. */
async function replace(library: string): Promise<string> {
  const database = await openDatabase(library);
  try {
    if (database.hasBeside(".next")) database.removeBeside(".next");
    database.snapshot(() => database.copyBeside(".next"));
    const next = await openDatabase(database.besidePath(".next"));
    try {
      next.transaction(() => sampleDocument(next, 2, "2.md", "y"));
    } finally {
      next.close();
    }
    database.replaceByBeside(".next", () => undefined);
    return "written";
  } catch (error) {
    if (error instanceof SelfsameError) return error.code;
    throw error;
  } finally {
    database.close();
  }
}

/** Opens the library by its name as a found one is, with links resolved by nobody, reads and writes. */
async function use(library: string, locks: "auto" | "file"): Promise<string> {
  try {
    const database = await openDatabase(library, { locks, timeoutMs: 200 });
    try {
      prepareSchema(database);
      database.transaction(() => sampleDocument(database, 2, "2.md", "y"));
      return "written";
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof SelfsameError) return error.code;
    throw error;
  }
}

describe.skipIf(process.platform === "win32")("what lies beside a library", () => {
  for (const locks of ["auto", "file"] as const) {
    for (const suffix of SUFFIXES) {
      test.each(KINDS)(
        `${suffix} (${locks}): a link or pipe to %s is never written through`,
        async (kind) => {
          const { library, outside } = await place();
          plant(`${library}${suffix}`, outside, kind);
          // The claim that protects a removal is made only if there is something to remove.
          if (suffix.endsWith("-clear")) leaveClaim(`${library}${suffix.slice(0, -"-clear".length)}`);
          const before = lstatSync(`${library}${suffix}`);
          const got = await use(library, locks);
          expect(["written", "DATABASE_CANNOT_OPEN", "DATABASE_BUSY", "DATABASE_IO"]).toContain(got);
          if (suffix === "-journal") expect(got).toBe("DATABASE_CANNOT_OPEN");
          expect(readdirSync(outside)).toStrictEqual(["secret"]);
          expect(readFileSync(join(outside, "secret"), "utf8")).toBe("SECRET");
          // A link may be replaced by a file of ours, or removed, but is not followed.
          const after = lstatSync(`${library}${suffix}`, { throwIfNoEntry: false });
          if (after?.isSymbolicLink()) expect(after.ino).toBe(before.ino);
        },
      );
    }
  }

  for (const suffix of NEXT_SUFFIXES) {
    test.each(KINDS)(`${suffix}: a link or pipe to %s is never written through`, async (kind) => {
      const { library, outside } = await place();
      plant(`${library}${suffix}`, outside, kind);
      const got = await replace(library);
      expect(["written", "DATABASE_CANNOT_OPEN"]).toContain(got);
      expect(readdirSync(outside)).toStrictEqual(["secret"]);
      expect(readFileSync(join(outside, "secret"), "utf8")).toBe("SECRET");
      expect(lstatSync(library).isFile()).toBe(true);
      rmSync(`${library}${suffix}`, { force: true });
      expect(await use(library, "auto")).toBe(got === "written" ? "DATABASE_CONSTRAINT" : "written");
    });
  }

  test.each(["nothing", "folder", "pipe"] as const)(
    "a library that is a link to %s, or a pipe, is refused",
    async (kind) => {
      const { library, outside } = await place();
      plant(library, outside, kind);
      expect(await use(library, "auto")).toBe("DATABASE_CANNOT_OPEN");
      expect(readdirSync(outside)).toStrictEqual(["secret"]);
    },
  );

  test("a library that is named by a link is opened where that leads, with its journal beside it", async () => {
    const { library, outside } = await place();
    const link = join(outside, "link.db");
    symlinkSync(library, link);
    const database = await openDatabase(link);
    database.transaction(() => {
      sampleDocument(database, 2, "2.md", "y");
      expect(existsSync(`${library}-journal`)).toBe(true);
      expect(readdirSync(outside).sort()).toStrictEqual(["link.db", "secret"]);
    });
    database.close();
  });
});

describe.skipIf(process.platform === "win32")("a new library", () => {
  test.each([0o000, 0o022, 0o077, 0o777])("is its owner's alone, whatever the umask (%o)", async (mask) => {
    const path = join(folder, `umask${mask}.db`);
    const before = process.umask(mask);
    onTestFinished(() => void process.umask(before));
    const database = await openDatabase(path);
    prepareSchema(database);
    database.transaction(() => {
      sampleDocument(database, 1, "1.md", "x");
      expect(statSync(`${path}-journal`).mode & 0o777).toBe(0o600);
    });
    database.close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("that was there keeps its mode, and its journal has the same", async () => {
    const { library } = await place();
    chmodSync(library, 0o640);
    const database = await openDatabase(library);
    database.transaction(() => {
      sampleDocument(database, 2, "2.md", "y");
      expect(statSync(`${library}-journal`).mode & 0o777).toBe(0o640);
    });
    database.close();
    expect(statSync(library).mode & 0o777).toBe(0o640);
  });
});
