import * as nodeFs from "node:fs";
import type { BesideFiles } from "./backing.ts";
import { syncFolderOf } from "./file-paths.node.ts";
import { lookBeside, openBeside } from "./library-files.node.ts";

/** What may lie beside a database that is itself beside another. */
const BELONGINGS = ["", "-journal", "-copy"];
const COPY_BYTES = 1 << 20;

/** The files beside an open database. None is followed if it is a link. */
export function besideFiles(database: () => { readonly path: string; readonly mode: number }): BesideFiles {
  const path = (suffix: string) => database().path + suffix;
  return {
    path,
    exists: (suffix) => lookBeside(path(suffix)) !== undefined,
    copyTo(suffix) {
      const { path: from, mode } = database();
      const copy = `${path(suffix)}-copy`;
      remove(copy);
      copyFile(from, copy, mode);
      nodeFs.renameSync(copy, path(suffix));
      syncFolderOf(from);
    },
    replaceBy(suffix) {
      lookBeside(path(suffix));
      nodeFs.renameSync(path(suffix), database().path);
      syncFolderOf(database().path);
    },
    remove(suffix) {
      for (const belonging of BELONGINGS) remove(path(suffix) + belonging);
    },
  };
}

function remove(path: string): void {
  if (lookBeside(path) !== undefined) nodeFs.unlinkSync(path);
}

function copyFile(from: string, to: string, mode: number): void {
  const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL } = nodeFs.constants;
  const source = openBeside(from, O_RDONLY);
  try {
    const target = openBeside(to, O_RDWR | O_CREAT | O_EXCL, { mode });
    try {
      const buffer = new Uint8Array(COPY_BYTES);
      for (;;) {
        const read = nodeFs.readSync(source, buffer, 0, buffer.length, null);
        if (read === 0) break;
        for (let done = 0; done < read; ) done += nodeFs.writeSync(target, buffer, done, read - done, null);
      }
      nodeFs.fsyncSync(target);
    } finally {
      nodeFs.closeSync(target);
    }
  } finally {
    nodeFs.closeSync(source);
  }
}
