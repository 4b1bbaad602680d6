import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { openDatabase } from "#dist/store/open.node.js";
import { checkIntegrity, prepareSchema } from "#dist/store/schema.js";
import { splitmix32 } from "../reference/prng.ts";
import { Child } from "./child.ts";
import { scratchFolder } from "./scratch.ts";

const KILLS = import.meta.env.MODE === "long" ? 60 : 5;
const folder = scratchFolder();

/** The batches whose documents are still there once `last` are written: each third one deletes an earlier one. */
function expectedDocuments(last: number): number {
  return last - Math.floor(last / 3);
}

test.each(["auto", "file"] as const)(
  "a writer killed at any moment loses no batch that it told of (%s)",
  async (locks) => {
    const path = join(folder, `${locks}.db`);
    const random = splitmix32(locks === "auto" ? 1 : 2);
    let told = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const child = new Child("batches.child.mjs", path, locks);
      await child.says("\n");
      await pause(random() % 300);
      await child.kill();
      const lines = child.output.split("\n").filter((line) => line !== "");
      told = Number(lines.at(-1));

      const database = await openDatabase(path, { locks });
      prepareSchema(database);
      checkIntegrity(database);
      const last = database.get("SELECT value FROM meta WHERE key = 'batch'")!.value as number;
      // The last commit may have come before the kill, and its message not.
      expect([told, told + 1]).toContain(last);
      expect(database.get("SELECT count(*) AS n FROM documents")!.n).toBe(expectedDocuments(last));
      expect(database.get("SELECT count(*) AS n FROM chunks")!.n).toBe(expectedDocuments(last) * 20);
      const found = database.get("SELECT count(*) AS n FROM search WHERE search MATCH 'words'")!.n;
      expect(found).toBe(expectedDocuments(last) * 20);
      // What the killed process left beside the file is gone after the next commit (but for a claim on a lock, if the
      // kill fell between its making and its linking).
      database.run("INSERT OR REPLACE INTO meta VALUES ('kill', ?)", [kill]);
      database.close();
      const left = readdirSync(folder).filter((name) => name.startsWith(`${locks}.db-`));
      expect(left.filter((name) => !name.startsWith(`${locks}.db-lock.`))).toStrictEqual([]);
    }
    expect(told).toBeGreaterThanOrEqual(KILLS);
  },
);
