import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { Library } from "../index.ts";
import type { LibraryAccess } from "./access.ts";
import { dbPath } from "./arguments.ts";
import { toolResult } from "./tool-result.ts";

export const input = z.strictObject({
  db_path: dbPath,
  receipt: z
    .union([z.string(), z.looseObject({})])
    .optional()
    .describe("The receipt of a search, made here or on another device: as an object, or as JSON text"),
  library: z
    .boolean()
    .optional()
    .describe("Derive everything again from the texts and compare; default: true if there is no receipt"),
  full: z
    .boolean()
    .default(false)
    .describe("Compare every vector instead of 64 random ones, which takes as long as indexing"),
});

const output = z.strictObject({
  is_sound: z.boolean().describe("Whether every check passed"),
  receipt: z
    .strictObject({
      is_same: z.boolean(),
      differences: z.array(
        z.strictObject({
          what: z.string(),
          rank: z.int().nullable(),
          expected: z.string().nullable(),
          actual: z.string().nullable(),
        }),
      ),
      actual_digest: z.string(),
      warnings: z
        .array(z.string())
        .describe("What could not be done here (without the model, for example) and what was done instead"),
    })
    .nullable(),
  library: z
    .strictObject({
      is_sound: z.boolean(),
      findings: z.array(
        z.strictObject({
          subject: z.string().describe("What was checked: file, word index, root, chunks, vectors, graph, …"),
          verdict: z.enum(["ok", "warning", "problem"]),
          detail: z.string().describe("What was found, and in how many of how many"),
          way_out: z.string().describe("What to do; empty if nothing is wrong"),
        }),
      ),
    })
    .nullable(),
});

/** Re-runs the search of a receipt, and checks a library against its texts. */
export function registerVerify(server: McpServer, service: LibraryAccess): void {
  server.registerTool(
    "verify",
    {
      title: "Verify",
      description:
        "Check a receipt: re-run its search and report any difference. Or check the library: derive root, chunks, words and " +
        "vectors again from the texts and report any difference, and how much was checked.",
      inputSchema: input,
      outputSchema: output,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (asked, { signal }) =>
      toolResult(service, async () => {
        const path = await service.libraryPath(asked.db_path);
        return service.libraries.use(path, async (library) => {
          const receipt = asked.receipt === undefined ? null : await receiptVerdict(library, asked.receipt);
          const isWanted = asked.library ?? asked.receipt === undefined;
          const checked = isWanted ? await libraryVerdict(library, asked.full, signal) : null;
          return {
            value: {
              is_sound: receipt?.is_same !== false && checked?.is_sound !== false,
              receipt,
              library: checked,
            } satisfies z.infer<typeof output>,
          };
        });
      }),
  );
}

async function receiptVerdict(library: Library, receipt: string | object) {
  const text = typeof receipt === "string" ? receipt : JSON.stringify(receipt);
  const { isSame, differences, actual, warnings } = await library.verifyReceipt(text);
  return {
    is_same: isSame,
    differences: differences.map(({ what, rank, expected, actual: got }) => ({
      what,
      rank,
      expected,
      actual: got,
    })),
    actual_digest: actual.digest,
    warnings: [...warnings],
  };
}

async function libraryVerdict(library: Library, isFull: boolean, signal: AbortSignal) {
  const { isSound, findings } = await library.check({ signal, full: isFull });
  return {
    is_sound: isSound,
    findings: findings.map(({ subject, verdict, detail, wayOut }) => ({
      subject,
      verdict,
      detail,
      way_out: wayOut,
    })),
  };
}
