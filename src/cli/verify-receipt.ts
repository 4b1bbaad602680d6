import { readFileSync } from "node:fs";
import { open, SelfsameError } from "../index.ts";
import { findLibrary } from "./location.ts";
import { bold, green, print, printJson, red, warn } from "./output.ts";

/** `selfsame verify-receipt FILE`: exit code 0 if this library answers the same, 1 if not. */
export async function verifyReceipt(
  file: string,
  options: { readonly db?: string; readonly model?: string; readonly json?: boolean },
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
  const { db, model } = options;
  const library = await open(findLibrary(db), model === undefined ? {} : { model });
  try {
    const { isSame, differences, actual, warnings } = await library.verifyReceipt(text);
    if (!options.json) for (const warning of warnings) warn(warning);
    if (options.json) printJson({ isSame, differences, actual, warnings });
    else if (isSame)
      print(`${green(bold("Same."))} This library gives the same answer, bit by bit: ${actual.digest}`);
    else {
      print(red(bold("Different.")));
      for (const { what, rank, expected, actual: got } of differences) {
        print(
          `${what}${rank === null ? "" : ` at rank ${rank}`}: the receipt says ${expected}, this library ${got}`,
        );
      }
    }
    if (!isSame) process.exitCode = 1;
  } finally {
    await library.close();
  }
}
