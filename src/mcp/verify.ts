import { z } from "zod";
import type { Library } from "../index.ts";
import type { LibraryAccess } from "./access.ts";
import { dbPath } from "./arguments.ts";
import { READS, structured, tool } from "./tool.ts";
import { toolResult } from "./tool-result.ts";

const input = z.strictObject({
  db_path: dbPath,
  receipt: z
    .union([z.string(), z.looseObject({})])
    .optional()
    .describe("A receipt, of this or another device, as an object or JSON text"),
  library: z.boolean().optional().describe("Check the library; default: if there is no receipt"),
  full: z.boolean().default(false).describe("Every vector instead of 64: as slow as indexing"),
  structured,
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
export const VERIFY = tool({
  name: "verify",
  description:
    "Re-run the search of a receipt, or derive the library again from its texts, and say what differs",
  input,
  output,
  annotations: READS,
  run: (service: LibraryAccess, asked, { signal }) =>
    toolResult(service, asked.structured, async () => {
      const path = await service.libraryPath(asked.db_path);
      return service.libraries.use(path, async (library) => {
        const receipt = asked.receipt === undefined ? null : await receiptVerdict(library, asked.receipt);
        const isWanted = asked.library ?? asked.receipt === undefined;
        const checked = isWanted ? await libraryVerdict(library, asked.full, signal) : null;
        const value: z.infer<typeof output> = {
          is_sound: receipt?.is_same !== false && checked?.is_sound !== false,
          receipt,
          library: checked,
        };
        return { value, text: () => textOf(value) };
      });
    }),
});

function textOf({ receipt, library }: z.infer<typeof output>): string {
  const lines: string[] = [];
  if (receipt !== null) {
    lines.push(
      receipt.is_same
        ? "receipt: the same answer here, bit by bit"
        : `receipt: another answer here, ${receipt.actual_digest.slice(0, 16)}`,
    );
    for (const { what, rank, expected, actual } of receipt.differences)
      lines.push(`${what}${rank === null ? "" : ` of rank ${rank}`}: expected ${expected}, got ${actual}`);
    lines.push(...receipt.warnings);
  }
  if (library !== null) {
    lines.push(`library: ${library.is_sound ? "sound" : "not sound"}`);
    for (const { subject, verdict, detail, way_out } of library.findings)
      lines.push(`${verdict}: ${subject}, ${detail}${way_out === "" ? "" : `. ${way_out}`}`);
  }
  return lines.join("\n");
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
