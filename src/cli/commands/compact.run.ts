import { counted } from "../../errors/index.ts";
import { open } from "../../index.ts";
import { findLibrary } from "../location.ts";
import { print, printJson } from "../output.ts";
import { relativePath } from "../relative-path.ts";

interface Options {
  readonly db?: string;
  readonly model?: string;
  readonly json?: boolean;
}

/** Runs `selfsame compact`. */
export async function compact({ db, model, json }: Options): Promise<void> {
  const file = findLibrary(db);
  const library = await open(file, model === undefined ? {} : { model });
  try {
    const report = await library.compact();
    if (json) {
      printJson(report);
      return;
    }
    const { bytesBefore, bytesAfter, embeddingsDropped } = report;
    const sizes = `${megabytes(bytesBefore)} before, ${megabytes(bytesAfter)} now`;
    print(`${relativePath(file)}: ${sizes}; ${counted(embeddingsDropped, "unused vector")} dropped`);
  } finally {
    await library.close();
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
