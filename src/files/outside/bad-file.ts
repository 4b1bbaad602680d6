import { SelfsameError } from "../../errors/selfsame-error.ts";

/** A place in a file, for messages. */
export interface Place {
  readonly file: string;
  /** Such as `line 12` or `row 3`. */
  readonly at: string;
}

export function placeText({ file, at }: Place): string {
  return `${file}, ${at}`;
}

/** The error for a file whose contents are not what they should be. */
export function badFile(place: Place, expected: string, got: string, cause?: unknown): SelfsameError {
  return new SelfsameError(
    "BAD_OUTSIDE_DATA",
    `${placeText(place)}: expected ${expected}, got ${got}`,
    "Write the file again, and ingest again; the library is unchanged",
    { details: { file: place.file, at: place.at }, ...(cause === undefined ? {} : { cause }) },
  );
}
