import { fromHex, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { textHash } from "../identity/ids.ts";
import { outsideDigests, outsideLeaf, outsideMetadataHash } from "../identity/outside.ts";
import { compareChunks, sharedFields } from "../identity/outside-order.ts";
import { NearDuplicates } from "../library/outside/dedupe.ts";
import { type OutsideChunk, readOutsideChunk } from "../library/outside/outside-record.ts";
import type { Json } from "../text/canonical-json.ts";
import { parseHex } from "./hex.ts";
import { type Outcome, Tally } from "./outcome.ts";

/** test-vectors/outside.json */
export interface OutsideVectors {
  readonly cases: readonly {
    readonly name: string;
    readonly dimension: number | null;
    readonly chunks: readonly object[];
    readonly order: readonly string[];
    readonly digests: readonly string[];
    readonly value: string;
    readonly metadataValue: string;
    readonly metadata: object;
  }[];
  readonly duplicates: readonly {
    readonly name: string;
    readonly threshold: number;
    readonly vectors: readonly { readonly id: string; readonly vector: string }[];
    readonly duplicates: readonly string[];
  }[];
}

/** SPEC §23 */
export function checkOutside(engine: Engine, vectors: OutsideVectors): Outcome {
  const tally = new Tally("outside");
  for (const { name, dimension, chunks, ...expected } of vectors.cases) {
    const read = chunks.map((chunk) => readOutsideChunk(engine, chunk as OutsideChunk, dimension));
    const ordered = read
      .map((chunk) => ({ chunk, id: chunk.id, fields: JSON.parse(chunk.fields) as { [name: string]: Json } }))
      .sort(compareChunks);
    const digests = outsideDigests(
      engine,
      ordered.map(({ chunk }) => ({ ...chunk, textHash: textHash(engine, chunk.text) })),
    );
    const metadata = outsideMetadataHash(
      engine,
      ordered.map(({ chunk }) => chunk),
    );
    tally.record(name, [
      ["order", expected.order.join(), ordered.map(({ id }) => toHex(id)).join()],
      ["digests", expected.digests.join(), digests.map(toHex).join()],
      ["value", expected.value, toHex(outsideLeaf(engine, digests))],
      ["metadataValue", expected.metadataValue, toHex(metadata)],
      ["metadata", JSON.stringify(expected.metadata), sharedFields(ordered) ?? "{}"],
    ]);
  }
  for (const { name, threshold, vectors: given, duplicates } of vectors.duplicates) {
    const found = new NearDuplicates(engine, given[0]!.vector.length / 4, threshold);
    const got = given.filter(({ id, vector }) =>
      found.has(fromHex(id), Int16Array.from(parseHex(vector, 4))),
    );
    found.close();
    tally.record(`near-duplicates: ${name}`, [["ids", duplicates.join(), got.map(({ id }) => id).join()]]);
  }
  return tally.outcome();
}
