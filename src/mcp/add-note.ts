import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { SelfsameError } from "../index.ts";
import type { Service } from "./service.ts";
import { CHANGES, tool } from "./tool.ts";
import { toolResult } from "./tool-result.ts";

const input = z.strictObject({
  path: z.string().min(1).describe('The note\'s name, such as "notes/decisions.md"'),
  text: z.string().describe("All of its text, in Markdown unless the name says otherwise"),
});

const output = z.strictObject({
  path: z.string(),
  change: z.enum(["added", "updated"]),
  chunks: z.int().describe("How many chunks were written"),
  root: z.string().describe("The library's root afterwards"),
});

/** Keeps a text of the agent in the server's own library. */
export const ADD_NOTE = tool({
  name: "add_note",
  description: "Keep a note in the library, or replace the note at this path. No file is written",
  input,
  output,
  annotations: CHANGES,
  run: (service: Service, { path, text }, { signal }) =>
    toolResult(service, false, async () => {
      const file = await service.libraryPath(null);
      return service.libraries.write(
        file,
        { rebuild: false, model: service.model, signal },
        async (library) => {
          await library.lines(path, 1, 1); // refuses what cannot be a path, before a file is looked for
          // The next indexing would read the file again, and the note would be gone.
          if (existsSync(join(service.documentsFolder(file), path)))
            throw new SelfsameError(
              "BAD_ARGUMENT",
              `expected a path where there is no file, got ${JSON.stringify(path)}`,
              "Choose another path, or change the file itself",
            );
          const { added, chunks } = await library.add([{ path, text, modifiedAt: Date.now() }], {
            signal,
          });
          if (added > 0) service.documentsChanged();
          const change = added > 0 ? "added" : "updated"; // its date, at least
          const root = await library.root();
          return {
            value: { path, change, chunks, root } satisfies z.infer<typeof output>,
            text: () => `${change} ${path}; root ${root.slice(0, 16)}`,
          };
        },
      );
    }),
});
