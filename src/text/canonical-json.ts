import { isPlainObject } from "../errors/plain-object.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { hasLoneSurrogate } from "./lone-surrogate.ts";
import { compareUtf8 } from "./utf8-order.ts";

/** Values that canonical JSON can express. A member whose value is `undefined` counts as absent. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

const DEPTH_MAX = 64;

/**
 * Returns JSON that is the same for equal values: no white space, members sorted by the UTF-8 bytes of their names,
 * numbers and strings as ECMAScript prints them. SPEC §12.5
 *
 * @throws SelfsameError BAD_ARGUMENT for values that JSON cannot express, and if `value` is nested over 64 deep
 */
export function canonicalJson(value: Json, depth = 0): string {
  if (depth > DEPTH_MAX) return refuse(`values nested at most ${DEPTH_MAX} deep`, "deeper ones");
  switch (typeof value) {
    case "boolean":
      return String(value);
    case "number":
      return canonicalNumber(value);
    case "string":
      return canonicalString(value);
    case "object":
      if (value === null) return "null";
      if (Array.isArray(value)) return canonicalArray(value, depth);
      return canonicalObject(value as { readonly [name: string]: Json | undefined }, depth);
    default:
      return refuse("a value of JSON", `a ${typeof value}`);
  }
}

/** Returns the shortest decimal that reads back as the same binary64, in ECMAScript's form; −0 becomes 0. */
function canonicalNumber(value: number): string {
  return Number.isFinite(value) ? String(value) : refuse("a finite number", String(value));
}

/**
 * JSON.stringify escapes `"`, `\`, controls and lone surrogates. Lone surrogates are refused: UTF-8 has no form for
 * them.
 */
function canonicalString(value: string): string {
  return hasLoneSurrogate(value)
    ? refuse("a string without a lone surrogate", JSON.stringify(value))
    : JSON.stringify(value);
}

/** A hole reads as `undefined` and is refused. */
function canonicalArray(items: readonly Json[], depth: number): string {
  return `[${Array.from(items, (item) => canonicalJson(item, depth + 1)).join(",")}]`;
}

function canonicalObject(value: { readonly [name: string]: Json | undefined }, depth: number): string {
  // A Date or a Map would lose its contents.
  if (!isPlainObject(value)) return refuse("a plain object", String(Object.prototype.toString.call(value)));
  // Each member is read once: a getter could return another value the second time.
  const members = Object.entries(value)
    .filter((member): member is [string, Json] => member[1] !== undefined)
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([name, member]) => `${canonicalString(name)}:${canonicalJson(member, depth + 1)}`);
  return `{${members.join(",")}}`;
}

function refuse(expected: string, got: string): never {
  throw new SelfsameError("BAD_ARGUMENT", `expected ${expected} in metadata, got ${got}`);
}
