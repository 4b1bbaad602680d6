import { statSync } from "node:fs";
import { resolve } from "node:path";
import { aligned } from "./aligned.node.ts";
import { jsonLinesOf } from "./json-lines.node.ts";
import { findOutsideFiles } from "./layout.node.ts";
import { checkManifestCounts, readManifests } from "./manifest.node.ts";
import type { AlignedRecord, AlignOptions, OutsideReader, PlacedObject } from "./outside-reader.ts";
import { parquetRowsOf } from "./parquet.node.ts";
import { vectorMembers } from "./vector-members.ts";

/** Finds the files that paths stand for, and reads them when asked. */
export function outsideReader(
  chunks: string,
  vectors: readonly string[],
  options: AlignOptions,
): OutsideReader {
  const files = findOutsideFiles(chunks, vectors);
  const all = [...files.chunks, ...files.vectors, ...files.manifests];
  const sizes = new Map(all.map((file) => [file, statSync(file, { bigint: true })] as const));
  const job = JSON.stringify([
    options.denseKey ?? null,
    all.map((file) => [resolve(file), String(sizes.get(file)!.size), String(sizes.get(file)!.mtimeNs)]),
  ]);
  const total = files.chunks.reduce((sum, file) => sum + Number(sizes.get(file)!.size), 0);
  const progress = { before: 0, within: 0 };

  async function* chunkObjects(): AsyncGenerator<PlacedObject> {
    for (const file of files.chunks) {
      const size = Number(sizes.get(file)!.size);
      for await (const object of jsonLinesOf(file)) {
        // The bytes of a packed file say nothing about how much of it is left, until all are read.
        progress.within = Math.min(object.bytes ?? 0, size);
        yield object;
      }
      progress.before += size;
      progress.within = 0;
    }
  }

  async function* vectorObjects(): AsyncGenerator<PlacedObject> {
    for (const file of files.vectors)
      yield* file.endsWith(".parquet") ? parquetRowsOf(file) : jsonLinesOf(file);
  }

  async function* records(): AsyncGenerator<AlignedRecord> {
    const announced = await readManifests(files.manifests, [...files.chunks, ...files.vectors]);
    const counts = new Map<string, number>();
    for await (const record of aligned(
      chunkObjects(),
      files.vectors.length === 0 ? null : vectorObjects(),
      options,
    )) {
      const document = record.value["doc_id"];
      if (announced.size > 0 && typeof document === "string")
        counts.set(document, (counts.get(document) ?? 0) + 1);
      yield record;
    }
    checkManifestCounts(announced, counts);
  }

  async function firstVectors(): ReturnType<OutsideReader["vectors"]> {
    for await (const object of vectorObjects()) {
      const { denseKey, members } = vectorMembers(object, options.denseKey);
      const { length } = (members.vector ?? []) as ArrayLike<unknown>;
      return denseKey === null ? null : { name: denseKey, dimension: length };
    }
    return null;
  }

  return {
    job,
    vectors: firstVectors,
    files: all,
    records,
    share: () => (total === 0 ? 1 : (progress.before + progress.within) / total),
  };
}
