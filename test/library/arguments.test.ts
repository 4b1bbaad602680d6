import { type DocumentInput, open } from "selfsame";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Opened, openTiny, TINY } from "./opened.ts";

let opened: Opened;
beforeAll(async () => {
  opened = await openTiny(":memory:");
  await opened.library.add([{ path: "a.md", text: "merkle tree" }]);
});
afterAll(() => opened.library.close());

/** Methods as a caller without types sees them, each with arguments that it must refuse. */
const CALLS: [method: string, given: unknown[], field: string][] = [
  ...["add", "remove", "addFiles", "nodes", "paths"].flatMap((method) =>
    [null, 1, {}, "a.md", new Set(["a.md"])].map((given): [string, unknown[], string] => [
      method,
      [given],
      "a list",
    ]),
  ),
  ...["add", "addFiles"].flatMap((method) =>
    [null, 1, "force", new Map()].map((options): [string, unknown[], string] => [
      method,
      [[], options],
      "options",
    ]),
  ),
  ["followFiles", [["docs"]], "options"],
  ["followFiles", [null, { signal: new AbortController().signal }], "a list"],
  ["add", [[null]], "path of a document"],
  ["add", [new Array(1)], "path of a document"],
  ["add", [[{ path: "b.md", text: 5 }]], "text of a document"],
  ["add", [[{ path: "b.md", text: "b", metadata: new Map() }]], "a plain object"],
  ["remove", [[null]], "paths"],
  ["addFiles", [[1]], "paths"],
  ["addFiles", [new Array(1)], "paths"],
  ["addFiles", [["docs"], { root: 5 }], "root"],
  ["addFiles", [["docs"], { include: "x" }], "include"],
  ["addFiles", [["docs"], { maxBytes: "x" }], "maxBytes"],
  ["add", [[], { onProgress: 1 }], "onProgress"],
  ["add", [[], { signal: 1 }], "signal"],
  ["add", [[], { force: "no" }], "force"],
  ["followFiles", [["docs"], {}], "signal"],
  ["diff", [{ root: () => 5, nodes: () => [], paths: () => [] }], "root of the other library"],
  ...[null, 1, {}].map((given): [string, unknown[], string] => ["chunk", [given], "chunkId"]),
  ["chunk", ["no hex"], "hexadecimal"],
  ["chunks", [null], "path of a document"],
  ["document", [1], "path of a document"],
  ["documents", [null], "options"],
  ["documents", [{ limit: "5" }], "limit"],
  ["documents", [{ limit: -1 }], "limit"],
  ["documents", [{ after: 5 }], "after"],
  ["nodes", [[5]], "prefixes"],
  ["paths", [[null]], "ids"],
  ["check", [null], "options"],
  ["check", [{ embeddings: "some" }], "embeddings"],
  ["diff", [null], "the other library"],
  ["diff", [{}], "the other library"],
  ["diff", [{ root: async () => "" }], "the other library"],
  ["search", [null], "the query"],
  ["search", ["merkle", null], "parameters"],
];

describe("a call with wrong arguments fails with BAD_ARGUMENT, which names what is wrong", () => {
  test.each(CALLS)("%s(%o)", async (method, given, field) => {
    const library = opened.library as unknown as Record<string, (...given: unknown[]) => unknown>;
    await expect(Promise.resolve().then(() => library[method]!(...given))).rejects.toMatchObject({
      name: "SelfsameError",
      code: "BAD_ARGUMENT",
      message: expect.stringContaining(field),
    });
  });

  test.each<[string, unknown, string]>([
    ["null", null, "expected options to be a plain object, got null"],
    ["a number", 1, "expected options to be a plain object, got 1"],
    ["a Map", new Map([["model", "tiny"]]), "expected options to be a plain object, got a Map"],
    ["a name that is spelled wrong", { modle: "tiny" }, 'chunking, .*workers, .*, got "modle"'],
    ["a model that is none", { model: 1 }, "expected model to be the name of a model"],
    ["a model that is null", { model: null }, "expected model to be the name of a model"],
    ["a count of workers that is none", { ...TINY, workers: "a" }, "expected workers to be a whole number"],
    ["a time that is none", { ...TINY, timeoutMs: "a" }, "expected timeoutMs to be a whole number"],
    ["a signal that is none", { ...TINY, signal: 3 }, "expected signal to be an AbortSignal, got 3"],
    ["a flag that is none", { ...TINY, rebuild: "no" }, 'expected rebuild to be true or false, got "no"'],
    ["a namespace that is none", { ...TINY, namespace: 5 }, "expected namespace to be a string, got 5"],
  ])("open with %s", async (_, options, message) => {
    await expect(open(":memory:", options as object)).rejects.toMatchObject({
      code: "BAD_ARGUMENT",
      message: expect.stringMatching(message),
    });
  });

  test.each(["", null, 5n, {}])("open(%o)", async (name) => {
    await expect(open(name as string, TINY)).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  });
});

test("documents are added as they were when they were given", async () => {
  const { library } = await openTiny(":memory:");
  const bytes = Buffer.from("willow by the water");
  const metadata = { tags: ["a"] };
  const documents = [
    { path: "bytes.md", text: bytes, metadata },
    { path: "other.md", text: "willow", modifiedAt: 5 },
  ];
  const options = { force: false };
  const first = library.add([{ path: "first.md", text: "first" }]);
  const added = library.add(documents, options);
  bytes.fill("x");
  metadata.tags[0] = "b";
  Object.assign(documents[1]!, { path: "changed.md", modifiedAt: 6 });
  documents.pop();
  const paths = ["first.md"];
  const removed = library.remove(paths);
  paths[0] = "other.md";
  await Promise.all([first, added, removed]);
  expect((await library.documents()).map(({ path, modifiedAt }) => [path, modifiedAt])).toStrictEqual([
    ["bytes.md", null],
    ["other.md", 5],
  ]);
  expect(await library.document("bytes.md")).toMatchObject({
    text: "willow by the water\n",
    metadata: { tags: ["a"] },
  });
  await library.close();
});

describe("a document that cannot be read", () => {
  const detached = new Uint8Array(8);
  structuredClone(detached, { transfer: [detached.buffer] });
  const throwing = (field: string) =>
    Object.defineProperty({ path: "b.md", text: "b" }, field, {
      enumerable: true,
      get: () => {
        throw new TypeError("no such member");
      },
    });
  const revoked = Proxy.revocable({ path: "b.md", text: "b" }, {});
  revoked.revoke();
  const revokedList = Proxy.revocable([], {});
  revokedList.revoke();
  const nested = { path: "b.md", text: "b", metadata: { deep: throwing("path") } };

  const unreadable: [name: string, documents: unknown, field: string][] = [
    ["a detached buffer", [{ path: "b.md", text: detached }], "text of a document"],
    ...["path", "text", "modifiedAt", "mime", "metadata"].map((field): [string, unknown, string] => [
      `a getter of ${field} that throws`,
      [throwing(field)],
      "no such member",
    ]),
    ["a getter in the metadata that throws", [nested], "metadata of a document"],
    ["a revoked proxy", [revoked.proxy], "a document"],
    ["a revoked list", revokedList.proxy, "documents"],
    ["a proxy of bytes", [{ path: "b.md", text: new Proxy(new Uint8Array(2), {}) }], "text of a document"],
  ];
  test.each(unreadable)("%s", async (_, documents, field) => {
    const root = await opened.library.root();
    await expect(opened.library.add(documents as DocumentInput[])).rejects.toMatchObject({
      name: "SelfsameError",
      code: "BAD_ARGUMENT",
      reason: expect.stringContaining(field),
    });
    expect(await opened.library.root()).toBe(root);
  });

  test("is read once, member by member", async () => {
    const reads: string[] = [];
    const counted = <T extends object>(target: T, name: string): T =>
      new Proxy(target, {
        get: (from, key, receiver) => {
          reads.push(`${name}.${String(key)}`);
          return Reflect.get(from, key, receiver);
        },
      });
    const metadata = counted({ tags: ["a"], size: 2 }, "metadata");
    const library = await open(":memory:", TINY);
    await library.add([
      counted({ path: "b.md", text: "b", modifiedAt: 1, mime: "text/plain", metadata }, "document"),
    ]);
    expect(reads.sort()).toStrictEqual([
      ...["format", "metadata", "mime", "modifiedAt", "path", "text"].map((key) => `document.${key}`),
      ...["size", "tags"].map((key) => `metadata.${key}`),
    ]);
    await library.close();
  });
});
