import { blake3, fromHex, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { concat } from "../packs/byte-reader.ts";
import { encodeHeader, type PackHeader } from "../packs/pack-header.ts";
import { type PackBatch, type PackEnd, PackReader } from "../packs/pack-reader.ts";
import { type PackItem, writePack } from "../packs/pack-writer.ts";
import { checkSignature, signerOf } from "../packs/signature.ts";
import { utf8ToString } from "../text/canonical.ts";
import { type Outcome, Tally } from "./outcome.ts";

/** test-vectors/pack.json */
export interface PackVectors {
  readonly seed: string;
  readonly cases: readonly {
    readonly name: string;
    readonly header: PackHeader;
    readonly documents: readonly object[];
    readonly vectors: number;
    readonly sections: readonly number[];
    readonly digest: string;
    readonly signed: boolean;
    readonly pack: string;
    readonly written: string;
  }[];
  readonly invalid: readonly { readonly name: string; readonly pack: string }[];
}

interface ReadPack {
  readonly header: PackHeader;
  readonly batches: readonly PackBatch[];
  readonly end: PackEnd;
}

/** Reads every pack, writes it again, and refuses the others. SPEC §27.1–§27.6 */
export async function checkPack(engine: Engine, vectors: PackVectors): Promise<Outcome> {
  const tally = new Tally("pack");
  const sign = signerOf(vectors.seed);
  for (const { name, pack, ...expected } of vectors.cases) {
    const { header, batches, end } = await read(engine, fromHex(pack));
    const documents = batches.flatMap((batch) =>
      batch.documents.map(({ record, id, value, metadataHash }) => ({
        ...{ path: record.path, id: toHex(id) },
        ...{ value: toHex(value), metadataHash: toHex(metadataHash) },
      })),
    );
    const again = await written(engine, header, itemsOf(batches), expected.signed ? sign : null);
    const same = await read(engine, again);
    tally.record(name, [
      ["header", JSON.stringify(expected.header), JSON.stringify(shown(header, expected.header))],
      ["documents", JSON.stringify(expected.documents), JSON.stringify(documents)],
      ["vectors", `${expected.vectors}`, `${batches.reduce((sum, batch) => sum + batch.vectors.length, 0)}`],
      ["digest", expected.digest, toHex(end.digest)],
      ["signed", String(expected.signed), String(checkSignature(end.digest, end.signature, null) !== null)],
      ["digest of what is written", expected.digest, toHex(same.end.digest)],
      ["bytes of what is written", expected.written, toHex(blake3(engine, again))],
    ]);
  }
  for (const { name, pack } of vectors.invalid)
    tally.record(name, [["error", "PACK_DAMAGED", await refusal(engine, fromHex(pack))]]);
  return tally.outcome();
}

/** The members of the header in the order of the vectors. */
function shown(header: PackHeader, like: object): object {
  const members = JSON.parse(utf8ToString(encodeHeader(header))) as Record<string, unknown>;
  return inOrderOf(like, members) as object;
}

function inOrderOf(like: unknown, value: unknown): unknown {
  if (typeof like !== "object" || like === null || Array.isArray(like)) return value;
  const members = value as Record<string, unknown>;
  const names = [...new Set([...Object.keys(like), ...Object.keys(members)])];
  return Object.fromEntries(
    names.map((name) => [name, inOrderOf((like as Record<string, unknown>)[name], members[name])]),
  );
}

async function read(engine: Engine, bytes: Uint8Array): Promise<ReadPack> {
  async function* pieces() {
    // In pieces that fit no boundary.
    for (let at = 0; at < bytes.length; at += 37) yield bytes.subarray(at, at + 37);
  }
  const reader = new PackReader(engine, pieces());
  const header = await reader.header();
  const batches: PackBatch[] = [];
  for await (const batch of reader.batches()) batches.push(batch);
  return { header, batches, end: reader.end };
}

/** All vectors of a batch stand with its first document: the writer sorts them into their sections. */
function itemsOf(batches: readonly PackBatch[]): PackItem[] {
  return batches.flatMap<PackItem>(({ documents, vectors }) =>
    documents.length === 0
      ? [{ record: null, vectors }]
      : documents.map(({ record }, i) => ({ record, vectors: i === 0 ? vectors : [] })),
  );
}

async function written(
  engine: Engine,
  header: PackHeader,
  items: readonly PackItem[],
  sign: ((digest: Uint8Array) => Uint8Array) | null,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of writePack(engine, header, items, sign)) pieces.push(piece);
  return concat(
    pieces,
    pieces.reduce((sum, { length }) => sum + length, 0),
  );
}

async function refusal(engine: Engine, bytes: Uint8Array): Promise<string> {
  try {
    await read(engine, bytes);
    return "none";
  } catch (error) {
    return error instanceof SelfsameError ? error.code : String(error);
  }
}
