import { readFileSync } from "node:fs";
import { type ReceiptDifference, SelfsameError } from "../../index.ts";
import { openLibrary } from "../open-library.ts";
import { bold, dim, green, print, printJson, red, warn } from "../output.ts";

/** Runs `selfsame verify-receipt FILE`. The exit code is 0 if this library gives the same answer, 1 if not. */
export async function verifyReceipt(
  file: string,
  options: {
    readonly db?: string;
    readonly model?: string;
    readonly crossEncoder?: string;
    readonly json?: boolean;
  },
): Promise<void> {
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (cause) {
    throw new SelfsameError(
      "FILE_MISSING",
      `expected a receipt at ${file}, got ${(cause as Error).message}`,
      "Name the file that selfsame search --receipt <file> wrote, or - for standard input",
      { cause },
    );
  }
  const { db, model, crossEncoder } = options;
  const library = await openLibrary(db, { model, crossEncoder });
  try {
    const { isSame, differences, actual, warnings } = await library.verifyReceipt(text);
    if (!options.json) for (const warning of warnings) warn(warning);
    if (options.json) printJson({ isSame, differences, actual, warnings });
    else if (isSame)
      print(`${green(bold("Same."))} This library gives the same answer, bit by bit: ${actual.digest}`);
    else {
      print(`${red(bold("Different."))} ${verdictOnResults(differences)}`);
      for (const { what, rank, expected, actual: got } of differences) {
        print(
          `${what}${rank === null ? "" : ` at rank ${rank}`}: the receipt says ${expected}, this library says ${got}`,
        );
      }
      for (const way of waysOut(differences)) print(dim(way));
    }
    if (!isSame) process.exitCode = 1;
  } finally {
    await library.close();
  }
}

const RESULTS = ["count", "order", "score"];

/** Says whether the results are the same although something else differs. */
function verdictOnResults(differences: readonly ReceiptDifference[]): string {
  const ranks = differences.flatMap(({ rank }) => rank ?? []);
  if (ranks.length === 0) return "But the results and their scores are the same.";
  const isOrder = differences.some(({ what }) => what === "order");
  return isOrder
    ? `The results differ from rank ${Math.min(...ranks)} on.`
    : `The results are the same, but scores differ from rank ${Math.min(...ranks)} on.`;
}

/** Returns the reason and the remedy for each cause among the differences. */
function waysOut(differences: readonly ReceiptDifference[]): string[] {
  const causes = differences.filter(({ what }) => !RESULTS.includes(what));
  if (causes.length === 0)
    return [
      "The documents and the rules are the same, but this device gives another answer. Run selfsame doctor and selfsame verify to find out why.",
    ];
  const ways = causes.map(({ what }) =>
    what.startsWith("parameters.")
      ? "The search did not run in the same way; a warning says why."
      : (REASONS[what] ?? []),
  );
  return [...new Set(ways.flat())];
}

const REASONS: Readonly<Record<string, string>> = {
  canon:
    "The rules differ (version, model, chunking, index or namespace). Compare selfsame --version on both devices, then run selfsame index --force with the same rules.",
  root: "The documents differ in their paths or texts. selfsame diff <this library> <a copy of the other> lists them.",
  metadataRoot:
    "The filters use types, times or metadata, and these differ. Copy the files with their times, or search without such filters.",
};
