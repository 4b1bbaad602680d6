import { badArgument } from "../errors/arguments.ts";
import { type Filters, mimePattern } from "./filters.ts";
import { compileGlob } from "./glob.ts";
import { parseInstant } from "./instant.ts";

/** The filters whose text must have a certain form. SPEC §17 */
export type FilterText = keyof Pick<Filters, "path" | "mime" | "modifiedAfter" | "modifiedBefore">;

/**
 * Checks the text of one filter before anything is searched: a pattern, a media type or a date.
 *
 * @param name the name of the filter in errors, such as that of a flag
 * @throws {SelfsameError} BAD_ARGUMENT that names it
 * @example
 * checkFilterText("path", "docs/[", "--path") // throws: the [ has no ]
 */
export function checkFilterText(filter: FilterText, text: string, name: string = `filters.${filter}`): void {
  if (filter === "path") compileGlob(text, name);
  else if (filter === "mime") mimePattern(text, name);
  else if (parseInstant(text) === null)
    throw badArgument(name, "a date such as 2026-02-17 or 2026-02-17T09:30Z", text);
}
