import { z } from "zod";
import { type DocumentLines, type Library, SelfsameError } from "../index.ts";
import type { LibraryAccess } from "./access.ts";
import { dbPath } from "./arguments.ts";
import { READS, structured, tool } from "./tool.ts";
import { toolResult } from "./tool-result.ts";

/** `path:12` gives this many lines on both sides. */
const AROUND = 20;
/** An answer ends at the line with which it would have more characters than this. */
const CHARACTERS_MAX = 20_000;

const input = z.strictObject({
  path: z.string().min(1).describe("As in a result. path:LINE gives the lines around LINE"),
  from: z.int().min(1).optional().describe("The first line; default 1"),
  to: z.int().min(1).optional().describe("The last line; default: as many as fit into an answer"),
  db_path: dbPath,
  structured,
});

const output = z.strictObject({
  path: z.string(),
  from: z.int(),
  to: z.int(),
  total: z.int().describe("How many lines the document has"),
  text: z.string(),
  format: z.string(),
  modified_at: z.number().nullable(),
  mime: z.string().nullable(),
  metadata: z.unknown(),
});

/** Reads a document, or some lines of it. */
export const GET_DOCUMENT = tool({
  name: "get_document",
  description: "Read a document, or the lines of it around a result",
  input,
  output,
  annotations: READS,
  run: (service: LibraryAccess, asked) =>
    toolResult(service, asked.structured, async () => {
      const file = await service.libraryPath(asked.db_path);
      return service.libraries.use(file, async (library) => {
        const found = await linesOf(library, asked);
        const { document, from, total } = found;
        const lines = fitting(found.lines);
        const text = lines.join("\n");
        const to = from + lines.length - 1;
        const more = to < found.to ? `; go on from ${to + 1}` : "";
        return {
          value: {
            path: document.path,
            from,
            to,
            total,
            text,
            format: document.format,
            modified_at: document.modifiedAt,
            mime: document.mime,
            metadata: document.metadata,
          } satisfies z.infer<typeof output>,
          text: () => `${document.path} lines ${from} to ${to} of ${total}${more}\n${text}`,
        };
      });
    }),
});

async function linesOf(library: Library, asked: z.infer<typeof input>): Promise<DocumentLines> {
  const { path, from = 1, to = Number.MAX_SAFE_INTEGER } = asked;
  if (from > to) throw badRange(`from ${from} to ${to}`, "from is the smaller one");
  // A path may itself end in `:12`, so the whole is tried first.
  let found = await library.lines(path, from, to);
  const [, name, number] = /^(.+):(\d{1,9})$/.exec(path) ?? [];
  if (found === null && name !== undefined) {
    const line = Number(number);
    found = await library.lines(name, asked.from ?? line - AROUND, asked.to ?? line + AROUND);
  }
  if (found === null)
    throw new SelfsameError(
      "FILE_MISSING",
      `expected the path of a document, got ${JSON.stringify(path)}`,
      "list_documents has the paths",
    );
  const first = asked.from ?? 1;
  if (first > found.total) throw badRange(`line ${first}`, `It has ${found.total} lines`);
  return found;
}

function badRange(got: string, hint: string): SelfsameError {
  return new SelfsameError("BAD_ARGUMENT", `expected lines of the document, got ${got}`, hint);
}

/** Returns the first lines that fit into an answer: at least one. */
function fitting(lines: readonly string[]): readonly string[] {
  let size = 0;
  for (const [i, line] of lines.entries()) {
    size += line.length + 1;
    if (size > CHARACTERS_MAX && i > 0) return lines.slice(0, i);
  }
  return lines;
}
