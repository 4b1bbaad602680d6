import { describeValue } from "../../errors/describe-value.ts";
import { isPlainObject } from "../../errors/plain-object.ts";
import { SelfsameError } from "../../errors/selfsame-error.ts";
import { badFile, type Place, placeText } from "./bad-file.ts";
import type { AlignedRecord, AlignOptions, PlacedObject } from "./outside-reader.ts";

/** The names that contract files use for their dense vectors, if no other is given. */
const DENSE_KEYS = ["Qwen3-4B", "Qwen3_4B"];
const SPARSE_KEY = "SpladeV3";
const BM25_KEY = "BM25";

interface Waiting extends Place {
  readonly uuid: string;
  readonly members: { readonly vector?: unknown; readonly sparse?: unknown; readonly bm25?: unknown };
  readonly denseKey: string | null;
}

/**
 * Reads chunks and vectors side by side, and yields each chunk with its vector. A vector whose chunk is not the next one
 * waits in a cache; more than the limit is drift. SPEC §23.5
 *
 * @throws {SelfsameError} INGEST_DRIFT, BAD_OUTSIDE_DATA
 */
export async function* aligned(
  chunks: AsyncIterable<PlacedObject>,
  vectors: AsyncIterable<PlacedObject> | null,
  { denseKey, vectorCacheLimit = 0 }: AlignOptions,
): AsyncGenerator<AlignedRecord> {
  if (vectors === null) {
    for await (const chunk of chunks) yield { ...chunk, where: placeText(chunk), denseKey: null };
    return;
  }
  const source = vectors[Symbol.asyncIterator]();
  const cache = new Map<string, Waiting>();
  const next = async (): Promise<Waiting | null> => {
    const { done, value } = await source.next();
    return done === true ? null : vectorOf(value, denseKey);
  };
  try {
    for await (const chunk of chunks) {
      const uuid = uuidOf(chunk);
      let found = cache.get(uuid);
      cache.delete(uuid);
      while (found === undefined) {
        const vector = await next();
        if (vector === null) throw withoutVector(chunk, uuid);
        if (vector.uuid === uuid) found = vector;
        else {
          if (cache.has(vector.uuid)) throw badFile(vector, "each UUID once", `${vector.uuid} again`);
          cache.set(vector.uuid, vector);
          if (cache.size > Math.max(vectorCacheLimit, 0)) throw drift(chunk, uuid, vector, vectorCacheLimit);
        }
      }
      yield {
        ...chunk,
        value: { ...chunk.value, ...found.members },
        where: `${placeText(chunk)}; ${placeText(found)}`,
        denseKey: found.denseKey,
      };
    }
    const [left] = cache.values();
    const extra = left ?? (await next());
    if (extra !== null) throw badFile(extra, "a vector of a chunk", `${extra.uuid}, which no chunk has`);
  } finally {
    await source.return?.();
  }
}

function uuidOf({ value, ...place }: PlacedObject): string {
  const { uuid } = value;
  if (typeof uuid === "string") return uuid.replaceAll("-", "").toLowerCase();
  throw badFile(place, "uuid to be a string", describeValue(uuid));
}

/** Reads the members of a vector file's record. */
export function vectorOf(record: PlacedObject, wanted: string | undefined): Waiting {
  const { value, file, at } = record;
  const place = { file, at };
  const key = denseKeyOf(value, wanted, place);
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
    ...place,
    uuid: uuidOf(record),
    members: {
      ...(vector === null ? {} : { vector }),
      ...(isAbsent(sparse) ? {} : { sparse: plain(sparse) }),
      ...(isAbsent(bm25) ? {} : { bm25: plain(bm25) }),
    },
    denseKey: key,
  };
}

function denseKeyOf(value: PlacedObject["value"], wanted: string | undefined, place: Place): string | null {
  if (wanted !== undefined) {
    if (!isAbsent(value[wanted])) return wanted;
    throw badFile(place, `a vector named ${wanted}`, `the members ${Object.keys(value).join(", ")}`);
  }
  const known = DENSE_KEYS.find((key) => !isAbsent(value[key]));
  if (known !== undefined) return known;
  const others = Object.keys(value).filter(
    (key) => key !== "uuid" && key !== SPARSE_KEY && key !== BM25_KEY && !isAbsent(value[key]),
  );
  const dense = others.filter((key) => isDense(value[key]));
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

function withoutVector(chunk: PlacedObject, uuid: string): SelfsameError {
  return badFile(chunk, `a vector for ${uuid}`, "none: the vector files end before");
}

/** Names both UUIDs and both places. */
function drift(chunk: Place, uuid: string, vector: Waiting, limit: number): SelfsameError {
  const allowed =
    limit > 0 ? `at most ${limit} vectors ahead of their chunks` : "each vector beside its chunk";
  return new SelfsameError(
    "INGEST_DRIFT",
    `expected ${allowed}, got chunk ${uuid} (${placeText(chunk)}) while reading vector ${vector.uuid} (${placeText(vector)})`,
    "Write both files in the same order of UUIDs, or let more vectors wait: --vector-cache-limit, or { vectorCacheLimit }",
    {
      details: {
        chunkUuid: uuid,
        chunkFile: chunk.file,
        chunkAt: chunk.at,
        vectorUuid: vector.uuid,
        vectorFile: vector.file,
        vectorAt: vector.at,
      },
    },
  );
}
