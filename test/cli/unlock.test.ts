/** `selfsame doctor --unlock`, with locks of processes that run, that have ended, and that ended in another container. */
import { existsSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import { beforeAll, describe, expect, it } from "vitest";
import { Child, ContainedChild, hasNamespaces } from "../store/child.ts";
import { Place } from "./run.ts";

const place = new Place({ "note.md": "# Note\n\nOne.\n" });
const library = place.path("library.db");
const lock = `${library}-lock`;

function unlock(): { status: number | null; locks: { verdict: string; detail: string; wayOut: string }[] } {
  const { status, stdout } = place.run("doctor", "--unlock", "--db", library, "--model", "tiny", "--json");
  const { findings } = JSON.parse(stdout) as { findings: { section: string }[] };
  return { status, locks: findings.filter(({ section }) => section === "locks") as never };
}

beforeAll(() => {
  expect(place.run("index", "note.md", "--db", library, "--model", "tiny").status).toBe(0);
});

describe("selfsame doctor --unlock", () => {
  it("says that there is no lock", () => {
    expect(unlock()).toMatchObject({ status: 0, locks: [{ verdict: "ok", detail: "there is none" }] });
  });

  it("leaves the lock of a running process, and removes it when the process has ended", async () => {
    const child = new Child("read-lock.child.mjs", library);
    await child.says("held");
    const held = unlock();
    expect(held).toMatchObject({ status: 1, locks: [{ verdict: "problem" }] });
    expect(held.locks[0]!.detail).toBe(
      `${lock}: held by process ${child.pid} on host ${hostname()}, which is running`,
    );
    expect(existsSync(lock)).toBe(true);
    await child.kill();
    expect(unlock()).toMatchObject({ status: 0, locks: [{ verdict: "ok" }] });
    expect(existsSync(lock)).toBe(false);
  });

  it.runIf(hasNamespaces)(
    "removes the lock of another container after 30 s without a sign of life",
    async () => {
      const child = new ContainedChild("read-lock.child.mjs", library);
      await child.says("held");
      await child.kill();
      const recent = unlock();
      expect(recent.status).toBe(1);
      expect(recent.locks[0]!.detail).toMatch(/process 1 on host contained, which may be running/);
      expect(recent.locks[0]!.wayOut).toMatch(/30 s/);
      const then = new Date(Date.now() - 31_000);
      utimesSync(lock, then, then);
      const { status, locks } = unlock();
      expect([status, locks]).toMatchObject([0, [{ verdict: "ok" }]]);
      expect(locks[0]!.detail).toMatch(
        /removed, left by process 1 on host contained, last sign of life 3\d s ago/,
      );
      expect(existsSync(lock)).toBe(false);
    },
  );
});
