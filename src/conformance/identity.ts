import type { Format } from "../chunks/format.ts";
import { fromHex, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { chunkIds, documentIds, documentValue, textHash, textHashes } from "../identity/ids.ts";
import { metadataHash } from "../identity/metadata-hash.ts";
import { utf8 } from "../text/canonical.ts";
import { canonicalJson, type Json } from "../text/canonical-json.ts";
import { type Outcome, Tally } from "./outcome.ts";
import { codeOf } from "./text.ts";

/** test-vectors/identity.json */
export interface IdentityVectors {
  readonly cases: readonly { readonly namespace: string; readonly path: string; readonly id: string }[];
  readonly texts: readonly { readonly text: string; readonly hash: string }[];
  readonly formats: readonly {
    readonly path: string;
    readonly format: string;
    readonly text: string;
    readonly value: string;
  }[];
  readonly chunks: readonly {
    readonly documentId: string;
    readonly sequence: number;
    readonly headingPath: readonly string[];
    readonly text: string;
    readonly id: string;
  }[];
  readonly values: readonly { readonly value: string; readonly canonical: string }[];
  readonly metadata: readonly {
    readonly modifiedAt?: number | null;
    readonly mime?: string | null;
    readonly metadata?: { readonly [name: string]: Json } | null;
    readonly hash: string;
  }[];
  readonly invalid: readonly { readonly value: string; readonly code: string }[];
}

/** Checks ids and hashes. Everything that can be is hashed in one batch, as a library does. SPEC §12 */
export function checkIdentity(engine: Engine, vectors: IdentityVectors): Outcome {
  const tally = new Tally("identity");
  for (const { namespace, path, id } of vectors.cases) {
    const [got] = documentIds(engine, [path], namespace);
    tally.record(`document ${namespace}, ${path}`, [["id", id, toHex(got!)]]);
  }
  const hashes = textHashes(
    engine,
    vectors.texts.map(({ text }) => utf8(text)),
  );
  for (const [i, { text, hash }] of vectors.texts.entries())
    tally.record(`text ${JSON.stringify(text)}`, [["hash", hash, toHex(hashes[i]!)]]);
  for (const { path, format, text, value } of vectors.formats) {
    const got = documentValue(engine, path, format as Format, textHash(engine, utf8(text)));
    tally.record(`value ${path}, ${format}`, [["value", value, toHex(got)]]);
  }
  for (const { documentId, sequence, headingPath, text, id } of vectors.chunks) {
    const hash = textHash(engine, utf8(text));
    const [got] = chunkIds(engine, fromHex(documentId), [{ sequence, headingPath, textHash: hash }]);
    tally.record(`chunk ${sequence}, ${headingPath.join(" > ")}`, [["id", id, toHex(got!)]]);
  }
  for (const { value, canonical } of vectors.values)
    tally.record(`JSON ${value}`, [["canonical", canonical, canonicalJson(JSON.parse(value) as Json)]]);
  for (const { hash, ...given } of vectors.metadata) {
    const { modifiedAt = null, mime = null, metadata = null } = given;
    const got = metadataHash(engine, { modifiedAt, mime, metadata: canonicalJson(metadata ?? {}) });
    tally.record(`metadata ${JSON.stringify(given)}`, [["hash", hash, toHex(got)]]);
  }
  for (const { value, code } of vectors.invalid)
    tally.record(`refused: ${value}`, [["error", code, codeOf(() => canonicalJson(REFUSED[value] as Json))]]);
  return tally.outcome();
}

let deep: Json = [];
for (let i = 0; i < 65; i++) deep = [deep];

/** The values that the vectors name in words, because JSON cannot express them. */
const REFUSED: Readonly<Record<string, unknown>> = {
  NaN: Number.NaN,
  Infinity: [Number.POSITIVE_INFINITY],
  "undefined in an array": [undefined],
  "a hole": new Array(1),
  "a function": { f: () => 0 },
  "a bigint": 1n,
  "a Date": { at: new Date(0) },
  "a Map": new Map(),
  "a lone surrogate": "a\ud800",
  "a lone surrogate in a name": { "\udc00": 1 },
  "a reversed pair": "\udc00\ud800",
  "65 deep": deep,
};
