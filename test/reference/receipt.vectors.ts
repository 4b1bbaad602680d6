import { blake3 } from "./blake3.ts";
import { type Body, receiptBytes, receiptDigest } from "./receipt.ts";

const digestOf = (name: string): string => Buffer.from(blake3(Buffer.from(name))).toString("hex");
const idOf = (name: string): string => digestOf(name).slice(0, 32);

const PLAIN: Body = {
  canon: digestOf("canon"),
  root: digestOf("root"),
  metadataRoot: null,
  query: "blockchain consensus mechanism",
  parameters: { mode: "hybrid", topK: 10, rrfK: 60 },
  results: [
    { id: idOf("A"), score: "3d0532f0" },
    { id: idOf("C"), score: "3d044e4f" },
  ],
};

const BODIES: [name: string, body: Body][] = [
  ["two results", PLAIN],
  ["no results", { ...PLAIN, query: "", parameters: {}, results: [] }],
  [
    "with a metadata root",
    { ...PLAIN, metadataRoot: digestOf("metadata"), parameters: { filters: { mime: ["text/*"] } } },
  ],
  [
    "scores of 64 bits",
    { ...PLAIN, parameters: { mode: "lexical" }, results: [{ id: idOf("A"), score: "c006d7bc542191a6" }] },
  ],
  [
    "parameters of every kind, members in the order of UTF-8",
    {
      ...PLAIN,
      query: 'caf\u00e9 "ties" \u{1f389}\n',
      parameters: {
        "\u{10000}": 1,
        "\ufffd": 2,
        z: [null, true, false, 0.1, 1e21, 1e-7, -5, '\u0001"\\é'],
        a: { c: [], b: {} },
      },
    },
  ],
];

const printed = (body: Body): Record<string, unknown> => ({
  version: 1,
  ...body,
  digest: receiptDigest(body),
});

/** What is changed in a good receipt, and the field that the error names. */
const BROKEN: [name: string, change: Record<string, unknown>, field: string][] = [
  ["another version", { version: 2 }, "version"],
  ["no version", { version: undefined }, "version"],
  ["an unknown field", { extra: 1 }, "extra"],
  ["a short canon", { canon: "00" }, "canon"],
  ["capitals", { root: PLAIN.root.toUpperCase() }, "root"],
  ["no metadata root, not even null", { metadataRoot: undefined }, "metadataRoot"],
  ["a query that is no string", { query: 5 }, "query"],
  ["parameters that are a list", { parameters: [] }, "parameters"],
  ["results that are no list", { results: {} }, "results"],
  ["a result that is no object", { results: ["a"] }, "results[0]"],
  ["a result with more in it", { results: [{ ...PLAIN.results[0], path: "a" }] }, "results[0]"],
  ["a short id", { results: [{ id: "00", score: "00000000" }] }, "results[0].id"],
  ["an id twice", { results: [PLAIN.results[0], PLAIN.results[0]] }, "results[1].id"],
  ["a score of 48 bits", { results: [{ id: idOf("A"), score: "000000000000" }] }, "results[0].score"],
  ["another digest", { digest: digestOf("another") }, "digest"],
  ["a changed query", { query: "blockchain consensus mechanisms" }, "digest"],
  ["a changed score", { results: [{ id: idOf("A"), score: "3d0532f1" }, PLAIN.results[1]] }, "digest"],
  ["changed parameters", { parameters: { ...PLAIN.parameters, rrfK: 61 } }, "digest"],
];

/** SPEC §18 */
export function generate() {
  return {
    _comment:
      "cases: receipts and, where bytes stand beside them, the bytes that their digest is made of. invalid: a receipt that, as a text of JSON, is refused with BAD_RECEIPT and a message that names the field.",
    spec: "SPEC §18",
    parameters: { version: 1 },
    cases: BODIES.map(([name, body]) => ({
      name,
      receipt: printed(body),
      bytes: receiptBytes(body).toString("hex"),
    })),
    invalid: BROKEN.map(([name, change, field]) => ({
      name,
      receipt: { ...printed(PLAIN), ...change },
      field,
    })),
  };
}
