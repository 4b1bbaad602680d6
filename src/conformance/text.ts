import { fromHex, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { canonicalBytes, normalForm } from "../text/canonical.ts";
import { canonicalPath } from "../text/path.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import { type Outcome, Tally } from "./outcome.ts";

/** test-vectors/text.json */
export interface TextVectors {
  readonly cases: readonly { readonly name: string; readonly bytes: string; readonly canonical: string }[];
  readonly forms: readonly { readonly text: string; readonly nfc: string; readonly nfd: string }[];
  readonly order: readonly string[];
  readonly paths: readonly { readonly path: string; readonly canonical: string }[];
  readonly invalid: readonly { readonly path: string; readonly code: string }[];
}

/** SPEC §5 */
export function checkText(engine: Engine, vectors: TextVectors): Outcome {
  const tally = new Tally("text");
  for (const { name, bytes, canonical } of vectors.cases) {
    const got = canonicalBytes(engine, fromHex(bytes));
    tally.record(name, [
      ["canonical text", canonical, toHex(got)],
      ["canonical text of canonical text", canonical, toHex(canonicalBytes(engine, got))],
    ]);
  }
  for (const { text, nfc, nfd } of vectors.forms) {
    const input = String.fromCodePoint(...text.split(" ").map((c) => Number.parseInt(c, 16)));
    tally.record(`forms of ${text}`, [
      ["NFC", nfc, printed(normalForm(engine, "nfc", input))],
      ["NFD", nfd, printed(normalForm(engine, "nfd", input))],
    ]);
  }
  tally.record("order", orderOf(vectors.order));
  for (const { path, canonical } of vectors.paths) {
    tally.record(`path ${path}`, [["canonical path", canonical, canonicalPath(engine, path)]]);
  }
  for (const { path, code } of vectors.invalid) {
    tally.record(`path ${JSON.stringify(path)}`, [
      ["error", code, codeOf(() => canonicalPath(engine, path))],
    ]);
  }
  return tally.outcome();
}

/** Compares every two strings of an ascending list, both ways. */
function orderOf(strings: readonly string[]): (readonly [string, string, string])[] {
  return strings.flatMap((a, i) =>
    strings.map((b, j) => {
      const what = `${JSON.stringify(a)} against ${JSON.stringify(b)}`;
      return [what, String(Math.sign(i - j)), String(Math.sign(compareUtf8(a, b)))] as const;
    }),
  );
}

/** Returns the code of the SelfsameError that `work` throws; "none" if it throws none. */
export function codeOf(work: () => unknown): string {
  try {
    work();
    return "none";
  } catch (error) {
    return error instanceof SelfsameError ? error.code : String(error);
  }
}

function printed(text: string): string {
  return Array.from(text, (c) => c.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")).join(" ");
}
