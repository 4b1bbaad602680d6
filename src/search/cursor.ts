import { SelfsameError } from "../errors/selfsame-error.ts";

/** Returns a cursor: where a page starts, bound to the one list that it is part of. Opaque to callers. SPEC §20.6 */
export function makeCursor(offset: number, binding: string): string {
  return `${offset.toString(36)}.${binding.slice(0, 32)}`;
}

export function readCursor(cursor: string, binding: string): number {
  const parts = /^([0-9a-z]{1,8})\.([0-9a-f]{32})$/.exec(cursor);
  if (parts === null) {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected a cursor of an earlier page, got ${JSON.stringify(cursor)}`,
      "Give the cursor that came with the page before, or none for the first page",
      { details: { argument: "cursor" } },
    );
  }
  if (parts[2] !== binding.slice(0, 32)) {
    throw new SelfsameError(
      "CURSOR_STALE",
      "expected a cursor of this query, these parameters and this root, got another",
      "The library or the query has changed: request the first page again",
    );
  }
  return Number.parseInt(parts[1]!, 36);
}
