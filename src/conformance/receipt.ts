import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { compareReceipts } from "../search/compare-receipts.ts";
import { parseReceipt, printReceipt, type Receipt, receiptDigest } from "../search/receipt.ts";
import { type Outcome, Tally } from "./outcome.ts";

/** test-vectors/receipt.json */
export interface ReceiptVectors {
  readonly cases: readonly { readonly name: string; readonly receipt: object; readonly bytes: string }[];
  readonly invalid: readonly { readonly name: string; readonly receipt: object; readonly field: string }[];
}

/** SPEC §18 */
export function checkReceipts(engine: Engine, vectors: ReceiptVectors): Outcome {
  const tally = new Tally("receipt");
  for (const { name, receipt } of vectors.cases) {
    const expected = receipt as Receipt;
    const read = parseReceipt(engine, JSON.stringify(receipt));
    const again = parseReceipt(engine, printReceipt(read));
    tally.record(name, [
      ["digest", expected.digest, receiptDigest(engine, expected)],
      ["printed and read again", JSON.stringify(read), JSON.stringify(again)],
      ["differences", "[]", JSON.stringify(compareReceipts(expected, again))],
    ]);
  }
  for (const { name, receipt, field } of vectors.invalid) {
    tally.record(name, [["names", field, refusedField(engine, receipt)]]);
  }
  return tally.outcome();
}

/** Returns the field that the error names if it is BAD_RECEIPT; otherwise the error's code. */
function refusedField(engine: Engine, receipt: object): string {
  try {
    parseReceipt(engine, JSON.stringify(receipt));
  } catch (error) {
    if (!(error instanceof SelfsameError)) throw error;
    return error.code === "BAD_RECEIPT" ? String(error.details["field"]) : error.code;
  }
  return "no error";
}
