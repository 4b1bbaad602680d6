/** What comes from NATS may have been written by anybody: it is checked before it is used. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeManifest, encodeManifest, type Manifest } from "#dist/cluster/manifest.js";
import { ClusterNames } from "#dist/cluster/names.js";
import { loaded } from "#dist/cluster/nats.js";
import {
  decodeOperation,
  encodeOperation,
  OPERATION_BYTES_MAX,
  type Operation,
} from "#dist/cluster/operation.js";
import { SelfsameError } from "#dist/errors/selfsame-error.js";
import { loadBuild } from "../engine/engines.ts";

const long = import.meta.env.MODE === "long";
const engine = loadBuild("simd");
const digest = "ab".repeat(32);
const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const codeOf = (work: () => unknown) => {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof SelfsameError ? error.code : error;
  }
};

describe("operations", () => {
  const put: Operation = {
    ...{ op: "put", path: "a/b.md", kind: "text", digest, bytes: 10, format: null },
    ...{ modifiedAt: 5, mime: "text/markdown", metadata: '{"a":1}' },
  };

  it("come back as they were", () => {
    for (const operation of [put, { op: "remove", path: "x.md" }] as const)
      expect(decodeOperation(engine, encodeOperation(operation), 1)).toEqual(operation);
  });

  it.each([
    ["no JSON", new Uint8Array([1, 2])],
    ["a list", json([])],
    ["another version", json({ ...put, version: 2 })],
    ["no version", json(put)],
    ["a path that leaves", json({ ...put, version: 1, path: "../x" })],
    ["a path that is absolute", json({ ...put, version: 1, path: "/x" })],
    ["a path that is not canonical", json({ ...put, version: 1, path: "a//b" })],
    ["no path", json({ ...put, version: 1, path: 5 })],
    ["another operation", json({ ...put, version: 1, op: "rename" })],
    ["another kind", json({ ...put, version: 1, kind: "link" })],
    ["a short digest", json({ ...put, version: 1, digest: "ab" })],
    ["a digest with a path in it", json({ ...put, version: 1, digest: `../${"a".repeat(61)}` })],
    ["a negative size", json({ ...put, version: 1, bytes: -1 })],
    ["a huge size", json({ ...put, version: 1, bytes: 2 ** 40 })],
    ["another format", json({ ...put, version: 1, format: "pdf" })],
    ["a time that is no number", json({ ...put, version: 1, modifiedAt: "now" })],
    ["a type that is no text", json({ ...put, version: 1, mime: 5 })],
    ["metadata that is an object", json({ ...put, version: 1, metadata: { a: 1 } })],
    ["metadata that is not canonical", json({ ...put, version: 1, metadata: '{"b":1,"a":2}' })],
    ["too many bytes", new Uint8Array(OPERATION_BYTES_MAX + 1)],
  ])("refuse %s", (_, bytes) => {
    expect(codeOf(() => decodeOperation(engine, bytes, 3))).toBe("BAD_CLUSTER_DATA");
  });

  it("refuse any bytes with one code", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.json().map((text) => new TextEncoder().encode(text)),
        ),
        (bytes) => {
          expect(codeOf(() => decodeOperation(engine, bytes, 1))).toBe("BAD_CLUSTER_DATA");
        },
      ),
      { numRuns: long ? 10_000 : 500 },
    );
  });
});

describe("manifests", () => {
  const facts = (prefix: string) => ({
    ...{ prefix, state: digest, canon: digest, root: digest, metadataRoot: digest, sparse: 0 },
    counts: { documents: 1, chunks: 1 },
    words: { chunks: 1, tokens: 2 },
    vectors: { chunks: 1, distinct: 1, segments: 1 },
    nodes: { text: {}, metadata: {} },
  });
  const shard = (prefix: string) => ({
    facts: facts(prefix),
    vectors: digest,
    weight: 1,
    file: digest,
    bytes: 4096,
  });
  const manifest = {
    ...{ canon: digest, sequence: 3, previous: null, answersByGraph: false, jobs: [digest] },
    shards: [shard("0"), shard("10"), shard("11")],
  } as unknown as Manifest;

  it("come back as they were, under their digest alone", () => {
    const { bytes, digest: name } = encodeManifest(engine, manifest);
    expect(decodeManifest(engine, name, bytes)).toEqual(manifest);
    expect(codeOf(() => decodeManifest(engine, digest, bytes))).toBe("BAD_CLUSTER_DATA");
    for (let at = 0; at < bytes.length; at += 7) {
      const damaged = bytes.slice();
      damaged[at]! ^= 1;
      expect(codeOf(() => decodeManifest(engine, name, damaged))).toBe("BAD_CLUSTER_DATA");
    }
  });

  it.each([
    ["no shard", { shards: [] }],
    ["shards in another order", { shards: [shard("10"), shard("0")] }],
    ["a shard twice", { shards: [shard("0"), shard("0")] }],
    ["a shard within another", { shards: [shard("0"), shard("01")] }],
    ["a prefix that is none", { shards: [shard("2")] }],
    ["another canon in a shard", { canon: "cd".repeat(32) }],
    ["a negative sequence", { sequence: -1 }],
    ["a file that is no digest", { shards: [{ ...shard("0"), file: "../../etc/passwd" }] }],
    ["a weight that is no number", { shards: [{ ...shard("0"), weight: "1" }] }],
    ["a job that is no digest", { jobs: ["x"] }],
    ["a previous one that is no digest", { previous: "x" }],
  ])("refuse %s", (_, change) => {
    const { bytes, digest: name } = encodeManifest(engine, { ...manifest, ...change } as Manifest);
    expect(codeOf(() => decodeManifest(engine, name, bytes))).toBe("BAD_CLUSTER_DATA");
  });
});

it("a cluster's name has no dot, wildcard or path", () => {
  for (const name of ["", "a.b", "a*", ">", "../x", "a b", "x".repeat(33)])
    expect(codeOf(() => new ClusterNames(name))).toBe("BAD_ARGUMENT");
  expect(new ClusterNames("papers-2").operations).toBe("selfsame_papers-2_operations");
});

it("a missing package is an error that says what to install", async () => {
  const missing = await loaded(() => import("@nats-io/none" as string)).catch((error: unknown) => error);
  expect(missing).toMatchObject({ code: "PACKAGE_MISSING" });
  expect((missing as SelfsameError).hint).toContain("npm install @nats-io/transport-node");
});
