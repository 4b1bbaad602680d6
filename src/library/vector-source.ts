import { badArgument } from "../errors/arguments.ts";
import { describeValue } from "../errors/describe-value.ts";
import { isPlainObject } from "../errors/plain-object.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { hasLoneSurrogate } from "../text/lone-surrogate.ts";
import { DIM_MAX } from "../vectors/vector.ts";

/** Vectors that another model computes, outside of Selfsame. */
export interface ExternalVectors {
  /** The name of that model, such as `Qwen3-4B`. */
  readonly name: string;
  /** The length of its vectors: a multiple of 8 up to 4,096. */
  readonly dimension: number;
}

/** Where the vectors of a library come from: from its model, or from outside. SPEC §23.3 */
export type VectorSource = "model" | ExternalVectors;

/** The canon's value for a library whose vectors come from its model. */
const MODEL = "model";
const NAME_MAX = 256;

/** Checks the option `vectors` of `open`. @throws {SelfsameError} BAD_ARGUMENT */
export function checkVectorSource(source: VectorSource): VectorSource {
  if (source === MODEL) return MODEL;
  if (!isPlainObject(source)) throw badArgument("vectors", '"model" or { name, dimension }', source);
  const { name, dimension } = source as ExternalVectors;
  if (typeof name !== "string" || name === "" || name.length > NAME_MAX || hasLoneSurrogate(name))
    throw badArgument("vectors.name", `a name of 1 to ${NAME_MAX} characters`, name);
  if (!isDimension(dimension))
    throw badArgument("vectors.dimension", `a multiple of 8 from 8 to ${DIM_MAX}`, dimension);
  return { name, dimension };
}

/** Checks the option `dedupeThreshold` of `open`: a cosine in whole thousandths. @throws {SelfsameError} BAD_ARGUMENT */
export function checkDedupe(threshold: number | null): number | null {
  if (threshold === null) return null;
  const thousandths = Math.round(threshold * 1000);
  const isFit = thousandths >= 0 && thousandths < 1000 && thousandths / 1000 === threshold;
  if (isFit) return thousandths;
  throw badArgument("dedupeThreshold", "null, or a cosine from 0 to 0.999 in thousandths", threshold);
}

/** Returns the canon's part `vectors`. SPEC §23.3 */
export function printVectorSource(source: VectorSource): string {
  return source === MODEL ? MODEL : `external ${source.dimension} ${source.name}`;
}

/** Returns the canon's part `dedupe`. SPEC §23.3 */
export function printDedupe(thousandths: number | null): string {
  return thousandths === null ? "off" : String(thousandths);
}

/** Reads the recorded parts. A library from an unknown source may record anything. */
export function readVectorSource(recorded: string, library: string): VectorSource {
  if (recorded === MODEL || recorded === "") return MODEL;
  const parts = /^external (\d{1,4}) (.+)$/s.exec(recorded);
  const dimension = Number(parts?.[1]);
  if (parts !== null && isDimension(dimension)) return { name: parts[2]!, dimension };
  throw damaged(library, "a source of vectors", recorded);
}

/** Reads the recorded threshold, in thousandths. */
export function readDedupe(recorded: string, library: string): number | null {
  if (recorded === "off" || recorded === "") return null;
  if (/^\d{1,3}$/.test(recorded)) return Number(recorded);
  throw damaged(library, "a threshold", recorded);
}

function isDimension(value: number): boolean {
  return Number.isInteger(value) && value >= 8 && value <= DIM_MAX && value % 8 === 0;
}

function damaged(library: string, what: string, got: string): SelfsameError {
  return new SelfsameError(
    "DATABASE_CORRUPT",
    `expected ${library} to record ${what}, got ${describeValue(got)}`,
    "Restore a copy, or move the file away and index again",
  );
}
