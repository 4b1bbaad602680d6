import { describeValue } from "../../errors/describe-value.ts";
import { SelfsameError } from "../../errors/selfsame-error.ts";
import { badFile, type Place, placeText } from "./bad-file.ts";
import type { AlignedRecord, AlignOptions, PlacedObject } from "./outside-reader.ts";
import { type VectorMembers, vectorMembers } from "./vector-members.ts";

/** A vector that waits for its chunk. */
interface Waiting extends Place, VectorMembers {
  readonly uuid: string;
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
    return done === true ? null : waiting(value, denseKey);
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

function waiting(record: PlacedObject, denseKey: string | undefined): Waiting {
  const { file, at } = record;
  return { file, at, uuid: uuidOf(record), ...vectorMembers(record, denseKey) };
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
