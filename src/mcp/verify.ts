import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { Library } from "../index.ts";
import { dbPath } from "./arguments.ts";
import type { Service } from "./service.ts";
import { toolResult } from "./tool-result.ts";

export const input = z.strictObject({
  db_path: dbPath,
  receipt: z
    .union([z.string(), z.looseObject({})])
    .optional()
    .describe("What a search answered, here or on another device: the receipt itself, or its JSON"),
  library: z
    .boolean()
    .optional()
    .describe("Make all that is derived anew from the texts and compare; default: if there is no receipt"),
});

const output = z.strictObject({
  is_sound: z.boolean().describe("Whether everything that was checked is as it must be"),
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
        .describe("What could not be done here, for want of the model for instance, and was done instead"),
    })
    .nullable(),
  library: z
    .strictObject({
      is_sound: z.boolean(),
      findings: z.array(
        z.strictObject({
          subject: z
            .string()
            .describe("What was looked at: file, word index, root, chunks, vectors, graph, …"),
          verdict: z.enum(["ok", "warning", "problem"]),
          detail: z.string(),
          way_out: z.string(),
        }),
      ),
    })
    .nullable(),
});

/** Makes the search of a receipt again, and checks a library against its own texts. */
export function registerVerify(server: McpServer, service: Service): void {
  server.registerTool(
    "verify",
    {
      title: "Verify",
      description:
        "Check a receipt (does this library give the same answer, bit by bit, and if not, in what does it differ?), " +
        "or the library itself (are its root, chunks, words and vectors those of its texts?).",
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
          const checked = isWanted ? await libraryVerdict(library, signal) : null;
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

async function libraryVerdict(library: Library, signal: AbortSignal) {
  const { isSound, findings } = await library.check({ signal });
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
