import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DocumentInput, open } from "#dist/index.js";
import { run } from "./command.ts";
import { npmEngines } from "./install.ts";
import { RUNTIMES, type Runtime } from "./rows.ts";

const SCRIPT = join(import.meta.dirname, "shared-library.cli.mjs");
const DOCUMENTS_EACH = 15;

/**
 * Lets every runtime write to one library on disk at the same time, Node with kernel locks and the others with lock
 * files. Returns what is wrong: a process that failed, a lost document, or a library that is not the one that a single
 * process makes.
 */
export async function shareLibrary(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "selfsame-shared-"));
  const place = join(folder, "library.db");
  try {
    const packages = await npmEngines("common");
    const ask = ({ name, binary, args }: Runtime) =>
      run(join(packages, binary), [...args, SCRIPT, place, name, String(DOCUMENTS_EACH)], { minutes: 5 });
    const ended = await Promise.allSettled(RUNTIMES.map(ask));
    const failed = ended.flatMap((end, i) =>
      end.status === "rejected"
        ? [`shared library, ${RUNTIMES[i]!.name}: ${(end.reason as Error).message}`]
        : [],
    );
    if (failed.length > 0) return failed;
    const documents = ended.flatMap((end) =>
      end.status === "fulfilled" ? (JSON.parse(end.value) as DocumentInput[]) : [],
    );
    return await compare(place, documents);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(place: string, documents: readonly DocumentInput[]): Promise<string[]> {
  const [shared, alone] = await Promise.all([
    open(place, { model: "tiny", workers: 1 }),
    open(":memory:", { model: "tiny", workers: 1 }),
  ]);
  try {
    await alone.add(documents);
    const [root, expected] = [await shared.root(), await alone.root()];
    const wrong = root === expected ? [] : [`shared library: expected the root ${expected}, got ${root}`];
    const { findings } = await shared.check({ full: true });
    const bad = findings.filter(({ verdict }) => verdict !== "ok");
    return [...wrong, ...bad.map(({ subject, detail }) => `shared library, ${subject}: ${detail}`)];
  } finally {
    await shared.close();
    await alone.close();
  }
}
