import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Finding, type Library, open, SelfsameError } from "../index.ts";

const SUBJECT = "disk";
const DOCUMENT = {
  path: "doctor.md",
  text: "# Doctor\n\nA library is written, opened again and searched.\n",
};

/** Writes a small library to a temporary folder, reopens it and searches it. This tests the host's files and locks. */
export async function checkDisk(): Promise<Finding> {
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(tmpdir(), "selfsame-doctor-"));
    const place = join(folder, "library.db");
    const written = await using(place, async (library) => {
      await library.add([DOCUMENT]);
      return library.root();
    });
    const [root, found] = await using(place, async (library) => {
      const { results } = await library.search("opened again");
      return [await library.root(), results[0]?.path];
    });
    if (root === written && found === DOCUMENT.path) {
      const detail = "a library in a temporary folder was written, reopened and searched";
      return { subject: SUBJECT, verdict: "ok", detail, wayOut: "" };
    }
    return problem(`expected ${DOCUMENT.path} under the root ${written}, got ${found} under ${root}`);
  } catch (error) {
    if (!(error instanceof SelfsameError)) return problem((error as Error).message);
    return problem(`${error.code}: ${error.reason}`, error.hint);
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

async function using<T>(place: string, work: (library: Library) => Promise<T>): Promise<T> {
  const library = await open(place, { model: "tiny", workers: 1 });
  try {
    return await work(library);
  } finally {
    await library.close();
  }
}

function problem(
  detail: string,
  wayOut = "Check the disk, its free space and the permissions of the temporary folder",
): Finding {
  return { subject: SUBJECT, verdict: "problem", detail, wayOut };
}
