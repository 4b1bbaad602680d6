import { isPlainObject } from "./plain-object.ts";
import { shortened } from "./shortened.ts";

const LENGTH_MAX = 80;

/** Describes a given value of any type for an error message, at limited length. */
export function describeValue(value: unknown): string {
  return shortened(spelled(value), LENGTH_MAX);
}

function spelled(value: unknown): string {
  if (typeof value === "number") return String(value); // NaN and infinities are null in JSON
  if (typeof value === "bigint") return `${value}n`;
  try {
    if (typeof value === "object" && value !== null && !Array.isArray(value) && !isPlainObject(value)) {
      const kind = Object.prototype.toString.call(value).slice(8, -1);
      return kind === "Object" ? "an object of a class" : `a ${kind}`; // JSON shows a Map as {}, and a Date as a string
    }
    return JSON.stringify(value) ?? (value === undefined ? "nothing" : `a ${typeof value}`);
  } catch {
    return "an object that is not JSON"; // it contains itself or a bigint, or cannot be read
  }
}
