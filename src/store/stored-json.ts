import { type Format, isFormat } from "../chunks/format.ts";
import type { Json } from "../text/canonical-json.ts";
import { damagedRow } from "./failure.ts";

/**
 * Parses the value of a column that holds JSON. `isRight` tells whether it is of the kind that a library writes there.
 */
export function storedJson<T>(
  database: { readonly name: string },
  text: string,
  what: string,
  isRight: (value: unknown) => boolean,
): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damagedRow(database.name, `${what} that are not JSON`);
  }
  if (!isRight(value)) throw damagedRow(database.name, `${what} of another kind than a library writes`);
  return value as T;
}

/** Parses a document's metadata: an object with members, or null for none. */
export function storedMetadata(
  database: { readonly name: string },
  text: string | null,
): { readonly [name: string]: unknown } | null {
  if (text === null) return null;
  const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  const hasMembers = (value: unknown) => isObject(value) && Object.keys(value as object).length > 0;
  return storedJson(database, text, "metadata", hasMembers);
}

/** Parses the fields of an outside chunk: an object. */
export function storedFields(
  database: { readonly name: string },
  text: string,
): { readonly [name: string]: Json } {
  const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  return storedJson(database, text, "fields", isObject);
}

/** Parses the BM25 terms of an outside chunk. */
export function storedTerms(
  database: { readonly name: string },
  text: string,
): { readonly terms: readonly string[]; readonly weights: readonly number[] } {
  return storedJson(database, text, "terms", (value) => {
    const { terms, weights } = (value ?? {}) as { readonly terms?: unknown; readonly weights?: unknown };
    return Array.isArray(terms) && Array.isArray(weights) && terms.length === weights.length;
  });
}

/** Parses the titles of the headings that a chunk is under, the outermost first. */
export function storedHeadings(database: { readonly name: string }, text: string): readonly string[] {
  const areTitles = (value: unknown) =>
    Array.isArray(value) && value.every((title) => typeof title === "string");
  return storedJson(database, text, "headings", areTitles);
}

/** Returns the format of a document, as it is stored. */
export function storedFormat(database: { readonly name: string }, format: string): Format {
  if (isFormat(format)) return format;
  throw damagedRow(database.name, "a format of another kind than a library writes");
}
