import { counted } from "../../errors/index.ts";
import { placesOf } from "../document-places.ts";
import { type LibraryOptions, withLibrary } from "../open-library.ts";
import { dim, print, printJson } from "../output.ts";
import { UsageError } from "../usage-error.ts";

interface ListOptions extends LibraryOptions {
  readonly limit?: string;
}

/** Runs `selfsame ls [pattern]`. */
export async function ls(pattern: string | undefined, options: ListOptions): Promise<void> {
  const limit = options.limit === undefined ? undefined : Number(options.limit);
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0))
    throw new UsageError(
      `expected --limit to be a whole number from 0, got ${JSON.stringify(options.limit)}`,
      "Such as --limit 20",
    );
  await withLibrary(options.db, options, async (library) => {
    const places = await placesOf(library);
    const documents = await library.documents({
      ...(pattern === undefined ? {} : { match: pattern }),
      ...(limit === undefined ? {} : { limit }),
    });
    if (options.json) {
      printJson(documents);
      return;
    }
    for (const { path, chunks } of documents)
      print(`${places.shown(path)}  ${dim(counted(chunks, "chunk"))}`);
    if (documents.length === 0)
      print(pattern === undefined ? "The library is empty." : `No document matches ${pattern}.`);
  });
}
