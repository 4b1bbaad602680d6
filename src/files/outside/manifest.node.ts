import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { badFile, type Place } from "./bad-file.ts";
import { jsonLinesOf } from "./json-lines.node.ts";

/** What a manifest says of a document. */
interface Entry extends Place {
  readonly count: number | null;
  readonly outputs: readonly { readonly name: string; readonly sha256: string | null }[];
}

/** The counts of chunks that manifests announce, by document. */
export type ManifestCounts = ReadonlyMap<string, Entry>;

const SHA256 = /^(?:sha256:)?([0-9a-f]{64})$/i;

/**
 * Reads manifests and checks the files that they name: each must be among those that are ingested, and have the digest
 * that is given. Of several lines about a document the last one counts; lines of failures are passed over.
 *
 * @returns what they say about each document, for `checkManifestCounts`
 */
export async function readManifests(
  manifests: readonly string[],
  files: readonly string[],
): Promise<ManifestCounts> {
  const counts = new Map<string, Entry>();
  for (const manifest of manifests) {
    const entries = new Map<string, Entry>();
    for await (const { value, file, at } of jsonLinesOf(manifest)) {
      const { doc_id: document, status } = value;
      if (typeof document !== "string") continue; // such as a line about the run itself
      if (status === undefined || status === "success") entries.set(document, entryOf({ file, at }, value));
      else entries.delete(document);
    }
    for (const [document, entry] of entries) {
      await checkOutputs(entry, files);
      if (entry.count !== null || !counts.has(document)) counts.set(document, entry);
    }
  }
  return counts;
}

function entryOf(place: Place, value: { readonly [name: string]: unknown }): Entry {
  const count = [value["chunk_count"], value["vector_count"], value["num_chunks"]].find(
    (each) => typeof each === "number",
  );
  const path = value["output_path"];
  const digest = SHA256.exec(String(value["output_sha256"] ?? value["output_hash"] ?? value["sha256"] ?? ""));
  const sha256 = digest?.[1]?.toLowerCase() ?? null;
  const outputs = typeof path === "string" ? [{ name: path.replace(/^.*[\\/]/, ""), sha256 }] : [];
  return { ...place, count: (count as number | undefined) ?? null, outputs };
}

async function checkOutputs(entry: Entry, files: readonly string[]): Promise<void> {
  for (const { name, sha256 } of entry.outputs) {
    const found = files.find((file) => basename(file) === name);
    // A manifest may name a JSONL file where Parquet was taken, or a plain one where it is packed.
    const stem = name.replace(/\.(jsonl|parquet)(\.gz)?$/, "");
    const other = files.find((file) => basename(file).replace(/\.(jsonl|parquet)(\.gz)?$/, "") === stem);
    if (found === undefined && other === undefined)
      throw badFile(entry, `the file ${name} among those to ingest`, "none of that name");
    if (found === undefined || sha256 === null) continue;
    const got = await sha256Of(found);
    if (got !== sha256) throw badFile(entry, `${name} to have sha256 ${sha256}`, got);
  }
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(piece as Buffer);
  return hash.digest("hex");
}

/** Compares the number of chunks of each document with the manifests. @throws {SelfsameError} BAD_OUTSIDE_DATA */
export function checkManifestCounts(announced: ManifestCounts, got: ReadonlyMap<string, number>): void {
  for (const [document, entry] of announced) {
    const count = got.get(document) ?? 0;
    if (entry.count === null ? count > 0 : count === entry.count) continue;
    const expected = entry.count === null ? "chunks" : `${entry.count} chunks`;
    throw badFile(entry, `${expected} of ${JSON.stringify(document)}`, String(count));
  }
}
