import { fromHex, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { describeValue } from "../errors/describe-value.ts";
import { isPlainObject, membersOf } from "../errors/plain-object.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { tagField, taggedHash } from "../identity/tagged-hash.ts";
import { utf8 } from "../text/canonical.ts";
import { canonicalJson, type Json } from "../text/canonical-json.ts";
import { hasLoneSurrogate } from "../text/lone-surrogate.ts";

/** The answer of a search, in a form that any device can check by re-running the search. SPEC §18 */
export interface Receipt extends ReceiptBody {
  /** The digest of all other fields: the short form that people compare. 64 hex digits. */
  readonly digest: string;
}

/** The fields that a receipt's digest covers. */
export interface ReceiptBody {
  /** The canon: what decides results besides the documents. 64 hex digits. */
  readonly canon: string;
  /** The root of the documents. 64 hex digits. */
  readonly root: string;
  /** The root of their metadata, if the search used it; null otherwise. */
  readonly metadataRoot: string | null;
  /** The query text in canonical form. */
  readonly query: string;
  /** All of the search's parameters, defaults included. SPEC §20.1 */
  readonly parameters: { readonly [name: string]: Json | undefined };
  /** The results, best first. */
  readonly results: readonly ReceiptResult[];
}

/** One result in a receipt. */
export interface ReceiptResult {
  /** The chunk's id: 32 hex digits. */
  readonly id: string;
  /** The bits of the score: 8 hex digits for 32 bits, or 16 for 64. */
  readonly score: string;
}

/** The form that `parseReceipt` reads. */
export const RECEIPT_VERSION = 1;

const TAG = tagField("receipt");
const WAY_OUT = "Get the receipt again from the device that made it";
const FIELDS = ["version", "canon", "root", "metadataRoot", "query", "parameters", "results", "digest"];

/** Makes the receipt of an answer. SPEC §18.1 */
export function makeReceipt(engine: Engine, body: ReceiptBody): Receipt {
  const { canon, root, metadataRoot, query, parameters, results } = body;
  return { canon, root, metadataRoot, query, parameters, results, digest: receiptDigest(engine, body) };
}

/** Returns the digest: 64 hex digits. SPEC §18.1 */
export function receiptDigest(engine: Engine, body: ReceiptBody): string {
  return toHex(
    taggedHash(engine, TAG, [
      fromHex(body.canon),
      fromHex(body.root),
      fromHex(body.metadataRoot ?? ""),
      utf8(body.query),
      utf8(canonicalJson(body.parameters)),
      resultBytes(body.results),
    ]),
  );
}

/** Encodes each result: its id, the number of bytes of its score, and these bytes, highest first. SPEC §18.1 */
function resultBytes(results: readonly ReceiptResult[]): Uint8Array {
  return fromHex(
    results.map(({ id, score }) => id + (score.length / 2).toString(16).padStart(2, "0") + score).join(""),
  );
}

/**
 * Returns a receipt as JSON, for a file. SPEC §18.2
 *
 * @throws {SelfsameError} BAD_RECEIPT for anything but a receipt
 */
export function printReceipt(receipt: Receipt): string {
  return `${JSON.stringify({ version: RECEIPT_VERSION, ...copied(receipt) }, null, 2)}\n`;
}

/**
 * Parses a receipt and checks it against its own digest. Nothing is searched.
 *
 * @throws {SelfsameError} BAD_RECEIPT that names the field. SPEC §18.2
 */
export function parseReceipt(engine: Engine, json: string): Receipt {
  const value = parsed(json);
  // A text must state its version. A receipt in memory has the current version.
  if (isPlainObject(value) && !Object.hasOwn(value, "version"))
    throw refusal("version", String(RECEIPT_VERSION), undefined);
  return checkReceipt(engine, value);
}

/**
 * Does the same for a receipt that is not text. It works on a copy: the caller may change the original later.
 *
 * @throws {SelfsameError} BAD_RECEIPT that names the field
 */
export function checkReceipt(engine: Engine, value: unknown): Receipt {
  const receipt = copied(value);
  const digest = receiptDigest(engine, receipt);
  if (digest !== receipt.digest) throw altered(digest, receipt.digest);
  return receipt;
}

/** Returns a copy of a value that has a receipt's form, with the fields in the order in which they are printed. */
function copied(value: unknown): Receipt {
  const members = presentMembers(value);
  if (members === null) throw refusal("the receipt", "a plain object", value);
  const unknown = members.find(([name]) => !FIELDS.includes(name));
  if (unknown !== undefined) throw unknownField("the receipt", FIELDS, unknown[0], unknown[0]);
  const given = new Map(members);
  if (given.has("version") && given.get("version") !== RECEIPT_VERSION)
    throw refusal("version", String(RECEIPT_VERSION), given.get("version"));
  const metadataRoot = given.get("metadataRoot");
  return {
    canon: hex(given.get("canon"), "canon", 64),
    root: hex(given.get("root"), "root", 64),
    metadataRoot: metadataRoot === null ? null : hex(metadataRoot, "metadataRoot", 64),
    query: text(given.get("query"), "query"),
    parameters: parametersOf(given.get("parameters")),
    results: resultsOf(given.get("results")),
    digest: hex(given.get("digest"), "digest", 64),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new SelfsameError(
      "BAD_RECEIPT",
      `expected the receipt to be JSON, got ${JSON.stringify(json.slice(0, 40))}`,
      "Give the file that --receipt wrote",
      { cause },
    );
  }
}

function parametersOf(value: unknown): Receipt["parameters"] {
  const members = presentMembers(value);
  if (members === null) throw refusal("parameters", "a plain object", value);
  return Object.fromEntries(members.map(([name, member]) => [name, plainJson(member, `parameters.${name}`)]));
}

/** Leaves out undefined members, as JSON does. */
function presentMembers(value: unknown): [name: string, member: unknown][] | null {
  return membersOf(value)?.filter(([, member]) => member !== undefined) ?? null;
}

/** Returns a copy of a value that canonical JSON can represent, with its members in their order. */
function plainJson(value: unknown, field: string): Json {
  try {
    canonicalJson({ [field]: value as Json }); // nested as deeply as in the digest
    return JSON.parse(JSON.stringify(value)) as Json;
  } catch {
    throw refusal(field, "plain JSON", value);
  }
}

function resultsOf(value: unknown): ReceiptResult[] {
  if (!Array.isArray(value)) throw refusal("results", "a list", value);
  const seen = new Set<string>();
  return Array.from(value as unknown[], (each, index) => {
    const field = `results[${index}]`;
    const members = presentMembers(each);
    if (members === null) throw refusal(field, "a plain object", each);
    const unknown = members.find(([name]) => name !== "id" && name !== "score");
    if (unknown !== undefined) throw unknownField(field, ["id", "score"], unknown[0], field);
    const given = new Map(members);
    const id = hex(given.get("id"), `${field}.id`, 32);
    if (seen.has(id)) throw refusal(`${field}.id`, "an id that occurs once", id);
    seen.add(id);
    const score = given.get("score");
    const isLong = typeof score === "string" && score.length === 16;
    return { id, score: hex(score, `${field}.score`, isLong ? 16 : 8) };
  });
}

function hex(value: unknown, field: string, digits: number): string {
  if (typeof value === "string" && value.length === digits && /^[0-9a-f]*$/.test(value)) return value;
  throw refusal(field, `${digits} digits of 0-9 and a-f`, value);
}

function text(value: unknown, field: string): string {
  if (typeof value === "string" && !hasLoneSurrogate(value)) return value;
  throw refusal(field, "a string without lone surrogates", value);
}

/** Includes the digest that would match, so that the page can show what was altered in the receipt. */
function altered(ofContents: string, digest: string): SelfsameError {
  return new SelfsameError(
    "BAD_RECEIPT",
    `expected digest to be ${ofContents}, that of the receipt's contents, got ${digest}: the receipt was altered after it was made`,
    WAY_OUT,
    { details: { field: "digest", digestOfContents: ofContents } },
  );
}

function unknownField(where: string, known: readonly string[], name: string, field: string): SelfsameError {
  const reason = `expected the fields of ${where} to be ${known.join(", ")}, got ${describeValue(name)}`;
  return new SelfsameError("BAD_RECEIPT", reason, WAY_OUT, { details: { field } });
}

function refusal(field: string, expected: string, value: unknown): SelfsameError {
  const got = describeValue(value);
  return new SelfsameError("BAD_RECEIPT", `expected ${field} to be ${expected}, got ${got}`, WAY_OUT, {
    details: { field, expected, got },
  });
}
