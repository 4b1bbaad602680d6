import { z } from "zod";
import type { Service } from "./service.ts";
import { CHANGES, tool } from "./tool.ts";
import { toolResult } from "./tool-result.ts";

const input = z.strictObject({
  path: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(1000)])
    .describe("One path or several, as in list_documents"),
});

const output = z.strictObject({
  removed: z.array(z.string()),
  missing: z.array(z.string()).describe("Paths that no document has"),
  root: z.string().describe("The library's root afterwards"),
});

/** Removes documents from the server's own library. */
export const REMOVE = tool({
  name: "remove",
  description: "Remove documents from the library. Files stay, and come back when they are indexed again",
  input,
  output,
  annotations: CHANGES,
  run: (service: Service, { path }, { signal }) =>
    toolResult(service, false, async () => {
      const paths = typeof path === "string" ? [path] : path;
      const file = await service.libraryPath(null);
      return service.libraries.write(
        file,
        { rebuild: false, model: service.model, signal },
        async (library) => {
          const report = await library.remove(paths);
          if (report.removed > 0) service.documentsChanged();
          const missing = [...report.missing];
          const removed = paths.filter((each) => !missing.includes(each));
          const root = await library.root();
          const said = [
            ...(removed.length === 0 ? [] : [`removed ${removed.join(", ")}`]),
            ...(missing.length === 0 ? [] : [`no document at ${missing.join(", ")}`]),
          ];
          return {
            value: { removed, missing, root } satisfies z.infer<typeof output>,
            text: () => `${said.join("; ")}; root ${root.slice(0, 16)}`,
          };
        },
      );
    }),
});
