import { describeValue } from "../../errors/describe-value.ts";
import { isPlainObject } from "../../errors/plain-object.ts";
import { badFile } from "./bad-file.ts";
import { linesOf } from "./lines.node.ts";
import type { PlacedObject } from "./outside-reader.ts";

/** Yields the object of each line. @throws {SelfsameError} BAD_OUTSIDE_DATA with file and line */
export async function* jsonLinesOf(file: string): AsyncGenerator<PlacedObject> {
  for await (const { text, bytes, ...place } of linesOf(file)) {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      throw badFile(place, "JSON", (cause as Error).message, cause);
    }
    if (!isPlainObject(value)) throw badFile(place, "an object", describeValue(value));
    yield { ...place, bytes, value };
  }
}
