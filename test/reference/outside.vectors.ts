/** test-vectors/outside.json: documents whose chunks were made elsewhere. */
import { littleEndian, quantiseVector, unit } from "./embedding.ts";
import { hexOfI16 } from "./hex.ts";
import { canonicalJson } from "./identity.ts";
import {
  chunkDigest,
  documentValueOf,
  type Given,
  idOf,
  inOrder,
  metadataValue,
  nearDuplicates,
  sharedMetadata,
} from "./outside.ts";
import { splitmix32 } from "./prng.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** A UUID from four words of the generator. */
function uuidFrom(next: () => number): string {
  const digits = Array.from({ length: 4 }, () => next().toString(16).padStart(8, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const CONTRACT: Given = {
  uuid: "1f3b3c9c-d94a-4b71-8f0c-3b0dd2c4d257",
  doc_id: "guide-restore",
  chunk_id: "guide-restore#0001",
  text: "... chunk text ...",
  num_tokens: 384,
  source_chunk_idxs: [0, 1],
  doc_items_refs: ["guide-restore#source"],
  source_path: "s3://docparse/support/guide-restore.md",
};

const next = splitmix32(15);
const chunk = (more: Partial<Given>): Given => ({
  uuid: uuidFrom(next),
  doc_id: "d",
  text: "a text",
  ...more,
});

const CASES: [name: string, dimension: number | null, chunks: readonly Given[]][] = [
  ["the contract's example", null, [CONTRACT]],
  [
    "with a vector, sparse weights and BM25",
    8,
    [
      {
        ...CONTRACT,
        vector: [0.5, -0.25, 0, 1, 0, 0, 3, -2],
        sparse: { terms: ["restore", "backup"], weights: [0.24, 0.09] },
        bm25: { terms: ["restore", "faiss"], weights: [1.72, 1.11] },
      },
    ],
  ],
  [
    "ordered by source_chunk_idxs, chunk_id, id",
    null,
    [
      chunk({ source_chunk_idxs: [10] }),
      chunk({ source_chunk_idxs: [9, 10], chunk_id: "z" }),
      chunk({ source_chunk_idxs: [9] }),
      chunk({ chunk_id: "\u{10000}" }),
      chunk({ chunk_id: "\uffff" }),
      chunk({ chunk_id: 10 }),
      chunk({ chunk_id: 9 }),
      chunk({ chunk_id: "d#10" }),
      chunk({ chunk_id: "d#2" }),
      chunk({}),
      chunk({}),
    ],
  ],
  [
    "shared fields",
    null,
    [
      chunk({ channel: "papers", year: 2024, tags: ["a", "b"], note: "x", num_tokens: 3 }),
      chunk({ year: 2024, channel: "papers", tags: ["a", "b"], note: "y", num_tokens: 3 }),
      chunk({ channel: "papers", tags: ["a", "b"], year: 2024, note: "x", num_tokens: 3 }),
    ],
  ],
  [
    "texts become canonical",
    null,
    [
      chunk({ text: "\ufeffe\u0301 \r\n\tline \u3000\r\n\r\n" }),
      chunk({ text: "" }),
      chunk({ text: "\n\n  \n" }),
      chunk({ text: "a\u0000b" }),
    ],
  ],
  [
    "sparse weights: rounding, order, zeros",
    null,
    [
      chunk({ sparse: { terms: ["\u{10000}", "\uffff", "a"], weights: [1, 2, 3] } }),
      chunk({ sparse: { terms: ["tie", "tied", "zero"], weights: [0.5 / 2048, 1.5 / 2048, 0] } }),
      chunk({ sparse: { terms: ["most"], weights: [1e9] } }),
      chunk({ sparse: { terms: ["none"], weights: [0] } }),
      chunk({ sparse: { terms: [], weights: [] } }),
    ],
  ],
  [
    "equal texts with different vectors, and zeros",
    8,
    [
      chunk({ vector: [1, 0, 0, 0, 0, 0, 0, 0] }),
      chunk({ vector: [0, 1, 0, 0, 0, 0, 0, 0] }),
      chunk({ vector: [0, 0, 0, 0, 0, 0, 0, 0] }),
    ],
  ],
];

const i16 = (values: readonly number[]): Int16Array => quantiseVector(unit(Float32Array.from(values)));
const bytesOf = (given: Given): Uint8Array =>
  given["vector"] === undefined ? new Uint8Array(0) : littleEndian(i16(given["vector"] as number[]));

/** Vectors around a few directions, so that some are close. */
function cluster(seed: number, count: number, spread: number): Map<string, Int16Array> {
  const draw = splitmix32(seed);
  const real = () => draw() / 2 ** 31 - 1;
  const centres = Array.from({ length: 5 }, () => Array.from({ length: 16 }, real));
  return new Map(
    Array.from({ length: count }, () => {
      const id = uuidFrom(draw).replaceAll("-", "");
      const centre = centres[draw() % centres.length]!;
      return [id, i16(centre.map((value) => value + spread * real()))];
    }),
  );
}

const DUPLICATES: [name: string, threshold: number, vectors: Map<string, Int16Array>][] = [
  ["close to each other", 950, cluster(1, 40, 0.3)],
  ["chains: a duplicate keeps nothing away", 980, cluster(2, 60, 0.25)],
  ["threshold 0", 0, cluster(3, 20, 1)],
  ["equal ones", 999, new Map([...cluster(4, 4, 0)])],
];

export function generate() {
  return {
    _comment:
      "cases: chunks as they are given; order: their ids in the order of the document; digests in that order; value and metadataValue of the document; metadata that all share. duplicates: vectors by id, ascending, 4 hex digits an element; threshold in thousandths.",
    spec: "SPEC §23",
    cases: CASES.map(([name, dimension, chunks]) => {
      const ordered = inOrder(chunks);
      const digests = ordered.map((given) => chunkDigest(given, bytesOf(given)));
      return {
        name,
        dimension,
        chunks,
        order: ordered.map(({ uuid }) => hex(idOf(uuid))),
        digests: digests.map(hex),
        value: hex(documentValueOf(digests)),
        metadataValue: hex(metadataValue(ordered)),
        metadata: JSON.parse(canonicalJson(sharedMetadata(chunks))) as object,
      };
    }),
    duplicates: DUPLICATES.map(([name, threshold, vectors]) => ({
      name,
      threshold,
      vectors: [...vectors.keys()].sort().map((id) => ({ id, vector: hexOfI16(vectors.get(id)!) })),
      duplicates: nearDuplicates(vectors, threshold),
    })),
  };
}
