import { describeValue } from "../../errors/describe-value.ts";
import { isPlainObject } from "../../errors/plain-object.ts";
import { SelfsameError } from "../../errors/selfsame-error.ts";
import { badFile, type Place, placeText } from "./bad-file.ts";
import type { PlacedObject } from "./outside-reader.ts";

/** The names that contract files use for their dense vectors, if no other is given. */
const DENSE_KEYS = ["Qwen3-4B", "Qwen3_4B"];
export const SPARSE_KEY = "SpladeV3";
export const BM25_KEY = "BM25";

/** The vectors of a record in the words of the contract, as members of an outside chunk. */
export interface VectorMembers {
  readonly members: { readonly vector?: unknown; readonly sparse?: unknown; readonly bm25?: unknown };
  /** The name of the dense vector in the record; null if there is none. */
  readonly denseKey: string | null;
}

/**
 * Reads the vectors of a record: `BM25`, `SpladeV3` and a dense one under the name of its model.
 *
 * @param wanted the name of the dense vector; undefined for Qwen3-4B, Qwen3_4B, or the only one that is there
 * @param others members that are no vectors, whatever they look like
 * @throws {SelfsameError} BAD_OUTSIDE_DATA
 */
export function vectorMembers(
  { value, file, at }: PlacedObject,
  wanted: string | undefined,
  others: ReadonlySet<string> = new Set(["uuid"]),
): VectorMembers {
  const place = { file, at };
  const key = denseKeyOf(value, wanted, others, place);
  const dense = key === null ? null : value[key];
  const vector = isPlainObject(dense) ? dense["vector"] : dense;
  if (key !== null && (vector === undefined || vector === null))
    throw badFile(place, `${key} to hold a vector`, describeValue(dense));
  const dim =
    isPlainObject(dense) && isPlainObject(dense["model_metadata"]) ? dense["model_metadata"]["dim"] : null;
  const length = (vector as ArrayLike<unknown> | null)?.length;
  if (typeof dim === "number" && length !== undefined && dim !== length)
    throw badFile(place, `${key} to have ${dim} numbers, as its model_metadata says`, `${length}`);
  const sparse = value[SPARSE_KEY];
  const bm25 = value[BM25_KEY];
  return {
    members: {
      ...(vector === null ? {} : { vector }),
      ...(isAbsent(sparse) ? {} : { sparse: plain(sparse) }),
      ...(isAbsent(bm25) ? {} : { bm25: plain(bm25) }),
    },
    denseKey: key,
  };
}

function denseKeyOf(
  value: PlacedObject["value"],
  wanted: string | undefined,
  others: ReadonlySet<string>,
  place: Place,
): string | null {
  if (wanted !== undefined) {
    if (!isAbsent(value[wanted])) return wanted;
    throw badFile(place, `a vector named ${wanted}`, `the members ${Object.keys(value).join(", ")}`);
  }
  const known = DENSE_KEYS.find((key) => !isAbsent(value[key]));
  if (known !== undefined) return known;
  const dense = Object.keys(value).filter(
    (key) => key !== SPARSE_KEY && key !== BM25_KEY && !others.has(key) && isDense(value[key]),
  );
  if (dense.length <= 1) return dense[0] ?? null;
  throw new SelfsameError(
    "BAD_OUTSIDE_DATA",
    `${placeText(place)}: expected one dense vector, got ${dense.join(", ")}`,
    "Name the one to use: --dense-key, or { denseKey }",
    { details: { file: place.file, at: place.at } },
  );
}

function isDense(value: unknown): boolean {
  const vector = isPlainObject(value) ? value["vector"] : value;
  return Array.isArray(vector) || vector instanceof Float32Array;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Lists of Parquet may be typed arrays. */
function plain(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      ArrayBuffer.isView(member) ? Array.from(member as unknown as ArrayLike<number>) : member,
    ]),
  );
}
