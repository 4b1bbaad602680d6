import { compareUtf8 } from "../text/utf8-order.ts";
import type { ParsedQuery } from "./parse-query.ts";

/**
 * Returns the MATCH expression of FTS5 for a query, or null if it has neither phrases nor terms. Items consist only of
 * word characters and spaces (SPEC §15.2), so in quotes they are plain strings to FTS5. SPEC §15.5
 *
 *     terms:              "t1" OR "t2"
 *     phrases:            "p1" AND "p2"
 *     both:               ("p1" AND "p2") AND ("p1" OR "p2" OR "t1" OR "t2")
 *     with excluded:      (…) NOT ("x1" OR "x2")
 */
export function matchExpression({
  phrases,
  terms,
  excluded,
}: Pick<ParsedQuery, "phrases" | "terms" | "excluded">): string | null {
  const required = quoted(phrases).join(" AND ");
  const optional = quoted(terms).join(" OR ");
  if (required === "" && optional === "") return null;
  let wanted = required || optional;
  // FTS5 has no optional operand. The phrases are repeated among the alternatives, so that these never exclude a chunk.
  if (required !== "" && optional !== "") {
    wanted = `(${required}) AND (${quoted(phrases).join(" OR ")} OR ${optional})`;
  }
  const unwanted = exclusionExpression(excluded);
  return unwanted === null ? wanted : `(${wanted}) NOT (${unwanted})`;
}

/**
 * Returns the items of a query's MATCH expression in its order, but for excluded ones, whose counts are 0 in every match.
 * SPEC §25.3
 */
export function scoredItems({ phrases, terms }: Pick<ParsedQuery, "phrases" | "terms">): string[] {
  const [required, optional] = [[...phrases].sort(compareUtf8), [...terms].sort(compareUtf8)];
  return required.length > 0 && optional.length > 0
    ? [...required, ...required, ...optional]
    : [...required, ...optional];
}

/**
 * Returns the MATCH expression for the chunks that no channel may return, or null if nothing is excluded. SPEC §15.5
 */
export function exclusionExpression(excluded: readonly string[]): string | null {
  return excluded.length === 0 ? null : quoted(excluded).join(" OR ");
}

/** Returns the MATCH expression for the chunks that have every phrase. SPEC §15.5 */
export function phrasesExpression(phrases: readonly string[]): string {
  return quoted(phrases).join(" AND ");
}

/** Sorted by bytes: the order of operands changes bits of bm25, and the order in which words were typed should not. */
function quoted(items: readonly string[]): string[] {
  return [...items].sort(compareUtf8).map((item) => `"${item}"`);
}
