import type { Format } from "../../chunks/format.ts";

/** The text that a person reads in a file, and how it is to be cut. */
export interface Extracted {
  readonly text: string;
  readonly format: Format;
}

/** Reads the text out of the bytes of a file. A pure function of them, in pinned versions. */
export type Extractor = (bytes: Uint8Array) => Extracted | Promise<Extracted>;
