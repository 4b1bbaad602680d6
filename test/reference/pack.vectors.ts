/** test-vectors/pack.json: packs that are read and written, and packs that are refused. */
import { deflateSync } from "fflate";
import { blake3 } from "./blake3.ts";
import { canonicalJson, documentId, documentValue, metadataHash, textHash } from "./identity.ts";
import { chunkDigest, documentValueOf, type Given, idOf, metadataValue } from "./outside.ts";
import {
  documentSections,
  headerSection,
  packBytes,
  packDigest,
  type ReferenceDocument,
  type ReferenceOutside,
  type ReferenceSection,
  type ReferenceText,
  recordBytes,
  sectionBytes,
  vectorSections,
} from "./pack.ts";
import { splitmix32 } from "./prng.ts";
import { rootOf } from "./root.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const DIMENSION = 8;
const SEED = Uint8Array.from({ length: 32 }, (_, i) => 7 * i + 1);
const next = splitmix32(27);

const CANON = {
  spec: "2",
  model: "11".repeat(32),
  tokenizer: "22".repeat(32),
  limit: "64",
  sqlite: "33".repeat(32),
  chunking: "64 8 4096",
  index: "auto",
  segment: "131072",
  namespace: "default",
  vectors: "model",
  dedupe: "off",
};

/** A short vector: its length does not matter for a pack. */
const vector = (): Uint8Array => {
  const numbers = Int16Array.from({ length: DIMENSION }, () => (next() % 16001) - 8000);
  const bytes = Buffer.alloc(2 * DIMENSION);
  for (const [i, value] of numbers.entries()) bytes.writeInt16LE(value, 2 * i);
  return bytes;
};

const text = (path: string, body: string, more: Partial<ReferenceText> = {}): ReferenceText => ({
  path,
  format: /\.md$/.test(path) ? "markdown" : "plain",
  modifiedAt: null,
  mime: null,
  metadata: null,
  text: body,
  ...more,
});

const TEXTS: ReferenceText[] = [
  text("notes/ties.md", "# Ties\n\nEqual scores stand by path.\n"),
  text("notes/größe.txt", "Grüße aus Köln 🙂\n", { modifiedAt: 1_700_000_000_123, mime: "text/plain" }),
  text("a.md", "", { modifiedAt: -1 }),
  text("b.md", "Read as plain text.\n", {
    format: "plain",
    metadata: canonicalJson({ tags: ["x", "y"], n: 0.1 }),
  }),
];

const GIVEN: Given[] = [
  { uuid: "1f3b3c9c-d94a-4b71-8f0c-3b0dd2c4d257", doc_id: "guide", chunk_id: "guide#1", text: "first" },
  {
    uuid: "0aa11122-0000-4b71-8f0c-000000000001",
    doc_id: "guide",
    chunk_id: "guide#2",
    text: "second",
    num_tokens: 3,
    sparse: { terms: ["é", "z"], weights: [1.5, 0.25] },
    bm25: { terms: ["restore"], weights: [1.72] },
  },
];

const outside = (given: readonly Given[]): ReferenceOutside => ({
  path: given[0]!.doc_id,
  chunks: given.map(({ uuid, doc_id: _, text: body, sparse, bm25, ...fields }) => ({
    id: idOf(uuid),
    text: body,
    fields: canonicalJson(fields),
    bm25: bm25 === undefined ? null : canonicalJson(bm25),
    sparse: (sparse?.terms ?? [])
      .map((term, i) => [term, sparse!.weights[i]! * 2048] as const)
      .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  })),
});

interface Named {
  readonly document: ReferenceDocument;
  readonly id: string;
  readonly value: string;
  readonly metadataHash: string;
}

function named(
  document: ReferenceDocument,
  namespace: string,
  vectors: ReadonlyMap<string, Uint8Array>,
): Named {
  const id = hex(documentId(namespace, document.path));
  if ("chunks" in document) {
    const digests = GIVEN.map((given) =>
      chunkDigest(given, vectors.get(hex(idOf(given.uuid))) ?? new Uint8Array(0)),
    );
    const [value, metadata] = [documentValueOf(digests), metadataValue(GIVEN)];
    return { document, id, value: hex(value), metadataHash: hex(metadata) };
  }
  const { path, format, modifiedAt, mime, metadata } = document;
  const json = metadata === null ? null : (JSON.parse(metadata) as Record<string, unknown>);
  return {
    document,
    id,
    value: hex(documentValue(path, format, utf8(document.text))),
    metadataHash: hex(
      metadataHash({
        ...(modifiedAt === null ? {} : { modifiedAt }),
        ...(mime === null ? {} : { mime }),
        ...(json === null ? {} : { metadata: json }),
      }),
    ),
  };
}

interface Case {
  readonly name: string;
  readonly canon: typeof CANON;
  readonly documents: readonly ReferenceDocument[];
  /** Of the chunks' texts; or, in a library of external vectors, of UUIDs. */
  readonly keys: readonly Uint8Array[];
  readonly contents?: "documents" | "texts" | "vectors";
  readonly selection?: { readonly prefixes?: readonly string[]; readonly paths?: readonly string[] };
  readonly isSigned?: boolean;
}

const textBytes = (document: ReferenceDocument): number =>
  "chunks" in document
    ? document.chunks.reduce((sum, { text: body }) => sum + utf8(body).length + 2, -1)
    : utf8(document.text).length;

function made(given: Case) {
  const { canon, contents = "documents", selection = { prefixes: [""] } } = given;
  const vectors = new Map(given.keys.map((key) => [hex(key), vector()]));
  const all = given.documents
    .map((document) => named(document, canon.namespace, vectors))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const isAlone = contents === "vectors";
  const header = {
    contents,
    canon,
    dimension: DIMENSION,
    counts: {
      documents: isAlone ? 0 : all.length,
      chunks: isAlone ? 0 : given.keys.length,
      textBytes: isAlone ? 0 : all.reduce((sum, { document }) => sum + textBytes(document), 0),
      vectors: isAlone ? given.keys.length : 0,
    },
    root: rootOf(new Map(all.map(({ id, value }) => [id, value]))),
    metadataRoot: rootOf(new Map(all.map(({ id, metadataHash: value }) => [id, value]))),
    ...selection,
  };
  const entries = [...vectors].map(([key, of]) => ({ key: Buffer.from(key, "hex"), vector: of }));
  const documents = isAlone ? [] : documentSections(all.map(({ document }) => document));
  const sections: ReferenceSection[] = [
    headerSection(header),
    ...documents.map(({ section }) => section),
    ...(contents === "texts" ? [] : vectorSections(entries)),
  ];
  return { header, all: isAlone ? [] : all, sections, entries };
}

const chunkKeys = (texts: readonly string[]): Uint8Array[] => texts.map((each) => textHash(utf8(each)));
const KEYS = chunkKeys(["Equal scores stand by path.", "Grüße aus Köln 🙂", "Read as plain text."]);
const EXTERNAL = { ...CANON, vectors: `external ${DIMENSION} made-up`, namespace: "research" };

const CASES: Case[] = [
  { name: "an empty library", canon: CANON, documents: [], keys: [] },
  { name: "texts with their vectors", canon: CANON, documents: TEXTS, keys: KEYS },
  { name: "signed", canon: CANON, documents: TEXTS.slice(0, 1), keys: KEYS.slice(0, 1), isSigned: true },
  { name: "texts without vectors", canon: CANON, documents: TEXTS, keys: [], contents: "texts" },
  { name: "vectors alone", canon: CANON, documents: TEXTS, keys: KEYS, contents: "vectors" },
  {
    name: "chosen by path",
    canon: CANON,
    documents: TEXTS.slice(0, 2),
    keys: KEYS.slice(0, 2),
    selection: { paths: ["notes/**"] },
  },
  {
    name: "below prefixes",
    canon: CANON,
    documents: TEXTS,
    keys: KEYS,
    selection: { prefixes: ["0", "10", "11"] },
  },
  {
    name: "outside chunks in a library of the model",
    canon: CANON,
    documents: [outside(GIVEN), TEXTS[0]!],
    keys: chunkKeys(["first", "second", "Equal scores stand by path."]),
  },
  {
    name: "outside chunks with their vectors",
    canon: EXTERNAL,
    documents: [outside(GIVEN)],
    keys: GIVEN.map(({ uuid }) => idOf(uuid)),
  },
  {
    name: "1,025 vectors in two sections",
    canon: CANON,
    documents: TEXTS,
    keys: chunkKeys(Array.from({ length: 1025 }, (_, i) => `vector ${i}`)),
    contents: "vectors",
  },
];

const framed = (sections: readonly ReferenceSection[], digest = packDigest(sections)): Uint8Array =>
  Buffer.concat([
    utf8("SSPACK1\n"),
    ...[...sections, { kind: 4, bytes: digest }].map((each) => sectionBytes(each)),
  ]);

/** Packs in which one thing is wrong, all digests being right. */
function refused(): [name: string, pack: Uint8Array][] {
  const { header, sections, entries, all } = made(CASES[1]!);
  const [first, documents, vectors] = sections as [ReferenceSection, ReferenceSection, ReferenceSection];
  const whole = Buffer.from(framed(sections));
  const withHeader = (more: object) => framed([headerSection({ ...header, ...more }), documents, vectors]);
  const bytes = (of: readonly ReferenceDocument[]) => ({
    kind: 2,
    bytes: Buffer.concat(of.map(recordBytes)),
  });
  const inOrder = all.map(({ document }) => document);
  const changed = (at: number, to: number) => {
    const copy = Buffer.from(whole);
    copy[at] = to;
    return copy;
  };
  return [
    ["nothing", new Uint8Array(0)],
    ["another format", changed(0, 0x54)],
    ["cut in the middle", whole.subarray(0, whole.length >> 1)],
    ["cut before the end", whole.subarray(0, whole.length - 76)],
    ["bytes after the end", Buffer.concat([whole, Uint8Array.of(0)])],
    ["another kind of section", changed(8, 9)],
    ["another codec", changed(9, 1)],
    ["a digest that is not of its section", changed(21, whole[21]! ^ 1)],
    ["an end of another pack", framed(sections, new Uint8Array(32))],
    ["no header", framed([documents, vectors])],
    ["two headers", framed([first, first, documents, vectors])],
    ["vectors before documents", framed([first, vectors, documents])],
    ["documents twice", framed([first, documents, vectors, documents])],
    ["a document twice", framed([first, bytes([inOrder[0]!, ...inOrder]), vectors])],
    ["documents out of order", framed([first, bytes([...inOrder].reverse()), vectors])],
    ["a document too few", framed([first, bytes(inOrder.slice(1)), vectors])],
    ["a section without documents", framed([first, { kind: 2, bytes: new Uint8Array(0) }])],
    ["a document of another kind", framed([first, { kind: 2, bytes: Uint8Array.of(2) }, vectors])],
    [
      "a field that is longer than its section",
      framed([first, { kind: 2, bytes: Uint8Array.of(0, 255, 255, 255, 255) }, vectors]),
    ],
    [
      "a path that is not UTF-8",
      framed([first, { kind: 2, bytes: Uint8Array.of(0, 1, 0, 0, 0, 255) }, vectors]),
    ],
    [
      "another text",
      framed([
        first,
        bytes([{ ...(inOrder[0] as ReferenceText), text: "x\n" }, ...inOrder.slice(1)]),
        vectors,
      ]),
    ],
    [
      "vectors out of order",
      framed([
        first,
        documents,
        {
          kind: 3,
          bytes: Buffer.concat(
            [...entries]
              .sort((a, b) => Buffer.compare(b.key, a.key))
              .flatMap(({ key, vector: of }) => [key, of]),
          ),
        },
      ]),
    ],
    [
      "a vector twice",
      framed([
        first,
        documents,
        { kind: 3, bytes: Buffer.concat([vectors.bytes, vectors.bytes.subarray(-48)]) },
      ]),
    ],
    ["half a vector", framed([first, documents, { kind: 3, bytes: vectors.bytes.subarray(0, -8) }])],
    [
      "two sections of vectors that one could hold",
      framed([first, documents, ...vectorSections(entries.slice(0, 1)), ...vectorSections(entries.slice(1))]),
    ],
    [
      "a component of −32768",
      framed([
        first,
        documents,
        { kind: 3, bytes: Buffer.concat([vectors.bytes.subarray(0, -2), Uint8Array.of(0, 128)]) },
      ]),
    ],
    ["another root", withHeader({ root: "00".repeat(32) })],
    ["another metadata root", withHeader({ metadataRoot: "00".repeat(32) })],
    ["another namespace", withHeader({ canon: { ...CANON, namespace: "other" } })],
    ["another number of documents", withHeader({ counts: { ...header.counts, documents: 5 } })],
    ["another number of bytes", withHeader({ counts: { ...header.counts, textBytes: 1 } })],
    ["a number of vectors", withHeader({ counts: { ...header.counts, vectors: 3 } })],
    ["a count that is negative", withHeader({ counts: { ...header.counts, chunks: -1 } })],
    ["prefixes that documents are not below", withHeader({ prefixes: ["0"] })],
    ["prefixes within another", withHeader({ prefixes: ["", "1"] })],
    ["prefixes out of order", withHeader({ prefixes: ["1", "0"] })],
    ["prefixes and paths", withHeader({ paths: ["**"] })],
    ["no prefixes", withHeader({ prefixes: [] })],
    ["another member", withHeader({ more: 1 })],
    ["another dimension", withHeader({ dimension: 16 })],
    ["other contents", withHeader({ contents: "graphs" })],
    ["texts with vectors", withHeader({ contents: "texts" })],
    [
      "a header with white space",
      framed([{ kind: 1, bytes: Buffer.concat([first.bytes, utf8(" ")]) }, documents, vectors]),
    ],
  ];
}

export function generate() {
  return {
    _comment:
      "Packs. pack: the bytes, documents in stored blocks of deflate. digest names it. sections: kinds and digests. written: BLAKE3 of the bytes with documents deflated by fflate 0.8.3, level 6. Signed with the seed.",
    spec: "SPEC §27",
    seed: hex(SEED),
    cases: CASES.map((given) => {
      const { header, all, sections, entries } = made(given);
      const seed = given.isSigned === true ? SEED : null;
      return {
        name: given.name,
        header,
        documents: all.map(({ document, ...rest }) => ({ path: document.path, ...rest })),
        vectors: entries.length,
        sections: sections.map(({ kind }) => kind),
        digest: hex(packDigest(sections)),
        signed: seed !== null,
        pack: hex(packBytes(sections, seed)),
        written: hex(blake3(packBytes(sections, seed, (bytes) => deflateSync(bytes, { level: 6 })))),
      };
    }),
    invalid: refused().map(([name, pack]) => ({ name, pack: hex(pack) })),
  };
}
