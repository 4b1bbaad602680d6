import { type Library, SelfsameError } from "../../index.ts";
import { placesOf } from "../document-places.ts";
import { type LibraryOptions, withLibrary } from "../open-library.ts";
import { dim, print, printJson } from "../output.ts";
import { UsageError } from "../usage-error.ts";

interface GetOptions extends LibraryOptions {
  readonly around?: string;
}

const LINES_AROUND = 10;

/** Runs `selfsame get <path>[:LINE|#CHUNK]`. */
export async function get(typed: string, options: GetOptions): Promise<void> {
  const around = options.around === undefined ? null : Number(options.around);
  if (around !== null && !(Number.isSafeInteger(around) && around >= 0))
    throw new UsageError(
      `expected --around to be a whole number from 0, got ${JSON.stringify(options.around)}`,
      "Such as --around 5",
    );
  await withLibrary(options.db, options, async (library) => {
    const { path, line, chunk } = await find(library, typed);
    if (chunk !== null) await printChunk(library, path, chunk, around ?? 0, options.json === true);
    else if (line !== null)
      await printLines(library, path, line, around ?? LINES_AROUND, options.json === true);
    else await printWhole(library, path, options.json === true);
  });
}

interface Place {
  readonly path: string;
  readonly line: number | null;
  readonly chunk: number | null;
}

/** Finds the document that was typed. A path may itself end in `:12`, so the whole is tried first. */
async function find(library: Library, typed: string): Promise<Place> {
  const places = await placesOf(library);
  const parts = /^(.+)([:#])(\d+)$/.exec(typed);
  const [, path = "", sign, number] = parts ?? [];
  const readings: Place[] = [{ path: typed, line: null, chunk: null }];
  if (sign === ":") readings.push({ path, line: Number(number), chunk: null });
  if (sign === "#") readings.push({ path, line: null, chunk: Number(number) });
  for (const reading of readings)
    for (const meant of places.meant(reading.path))
      if (await has(library, meant)) return { ...reading, path: meant };
  throw new SelfsameError(
    "FILE_MISSING",
    `expected a document of ${library.name}, got none at ${JSON.stringify(parts === null ? typed : path)}`,
    "selfsame ls lists them",
  );
}

async function has(library: Library, path: string): Promise<boolean> {
  try {
    return (await library.lines(path, 1, 1)) !== null;
  } catch (error) {
    // Not a path that any document could have, such as ../x.
    if (error instanceof SelfsameError && error.code === "BAD_ARGUMENT") return false;
    throw error;
  }
}

async function printWhole(library: Library, path: string, json: boolean): Promise<void> {
  const document = (await library.document(path))!;
  if (json) printJson(document);
  else for (const line of document.text.replace(/\n$/, "").split("\n")) print(line);
}

async function printLines(
  library: Library,
  path: string,
  line: number,
  around: number,
  json: boolean,
): Promise<void> {
  const found = (await library.lines(path, line - around, line + around))!;
  if (line < 1 || line > found.total)
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected a line from 1 to ${found.total} of ${path}, got ${line}`,
      `selfsame get ${path} prints all`,
    );
  if (json) {
    printJson(found);
    return;
  }
  const width = String(found.to).length;
  for (const [i, text] of found.lines.entries()) {
    const number = found.from + i;
    print(`${dim(`${number === line ? ">" : " "}${String(number).padStart(width)}`)}  ${text}`);
  }
}

async function printChunk(
  library: Library,
  path: string,
  chunk: number,
  around: number,
  json: boolean,
): Promise<void> {
  const chunks = await library.chunks(path);
  if (chunk >= chunks.length)
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected a chunk from 0 to ${chunks.length - 1} of ${path}, got ${chunk}`,
      `selfsame get ${path} prints all`,
    );
  const found = chunks.slice(Math.max(0, chunk - around), chunk + around + 1);
  if (json) {
    printJson({ path, chunks: found });
    return;
  }
  for (const [i, each] of found.entries()) {
    if (i > 0) print("");
    const where = each.breadcrumb === "" ? "" : ` › ${each.breadcrumb}`;
    const page = each.page === null ? "" : ` page ${each.page}`;
    print(dim(`${path}:${each.line}${page} #${each.sequence}${where}`));
    for (const line of each.text.split("\n")) print(line);
  }
}
