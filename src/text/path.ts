import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { normalForm } from "./canonical.ts";
import { hasLoneSurrogate } from "./lone-surrogate.ts";

/**
 * Returns the canonical name of a document: NFC, `/` between parts, relative to the library's root. A path that would
 * have to be resolved (`.`, `..`, `//`, a drive, a leading `/`) is refused, not repaired: otherwise two spellings of
 * one document would become one on some devices only. SPEC §5.4
 */
export function canonicalPath(engine: Engine, path: string): string {
  const complaint = complaintAbout(path);
  if (complaint !== null) {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected a relative path like "notes/ties.md", got ${JSON.stringify(path)}: ${complaint}`,
      "Give the path relative to the library's root folder, with / between its parts",
    );
  }
  return normalForm(engine, "nfc", path);
}

function complaintAbout(path: string): string | null {
  if (path === "") return "it is empty";
  if (hasLoneSurrogate(path)) return "it has a lone surrogate";
  if (path.startsWith("/")) return "it begins with /";
  if (path.includes("\\")) return "it has a backslash";
  if (/^[A-Za-z]:\//.test(path)) return "it begins with a drive";
  if (path.includes("\0")) return "it has a NUL";
  for (const part of path.split("/")) {
    if (part === "") return "it has an empty part";
    if (part === "." || part === "..") return `it has the part ${part}`;
  }
  return null;
}
