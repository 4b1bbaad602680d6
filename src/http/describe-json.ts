import { shortened } from "../errors/index.ts";

/** Returns the start of a value's JSON, to be shown in an error; "none" for undefined. */
export function describeJson(value: unknown, lengthMax = 60): string {
  return shortened(JSON.stringify(value) ?? "none", lengthMax);
}
