import { Breather } from "../../engine/breather.ts";
import { toHex } from "../../engine/digest.ts";
import type { Engine } from "../../engine/engine.ts";
import { abortedError, SelfsameError } from "../../errors/selfsame-error.ts";
import { documentIds } from "../../identity/ids.ts";
import { packDamaged } from "../../packs/damage.ts";
import type { PackHeader } from "../../packs/pack-header.ts";
import type { NamedRecord } from "../../packs/pack-identity.ts";
import type { ImportPackOptions, PackChoice, PackedDocument } from "../../packs/pack-options.ts";
import { type PackEnd, PackReader } from "../../packs/pack-reader.ts";
import { isOutsideRecord } from "../../packs/pack-record.ts";
import { checkSignature, publicKey } from "../../packs/signature.ts";
import { utf8ToString } from "../../text/canonical.ts";
import { canonicalPath } from "../../text/path.ts";
import type { LibraryParts } from "../library-parts.ts";
import { checkRecord } from "./check-record.ts";
import { IdList } from "./id-list.ts";
import { checkKind } from "./pack-kind.ts";
import { PackMeter } from "./pack-progress.ts";
import { packTexts } from "./pack-texts.ts";
import { VectorCheck } from "./verify-vectors.ts";

/** A pack that was read to its end and found right, before anything of it is written. */
export interface CheckedPack {
  readonly header: PackHeader;
  readonly end: PackEnd;
  /** The public key that signed it, in hexadecimal. */
  readonly signedBy: string | null;
  /** The digests of all sections of each batch: what is written later must have the same. */
  readonly digests: readonly string[];
  /** The documents that are not taken as they are, by id in hexadecimal. */
  readonly choices: ReadonlyMap<string, PackChoice>;
  /** The ids that its documents have here. */
  readonly ids: IdList;
  readonly vectors: VectorCheck;
}

/**
 * Reads a whole pack and checks everything but its vectors, which `vectors.finish()` then verifies. Nothing is written. It
 * holds one section of documents and the sample of vectors. SPEC §27.5
 */
export async function checkPack(
  parts: LibraryParts,
  stream: AsyncIterable<Uint8Array>,
  options: ImportPackOptions,
): Promise<CheckedPack> {
  const { engine, ingest, state } = parts;
  const required = options.requireSignature === undefined ? null : publicKey(options.requireSignature);
  const { signal } = options;
  const stop = () => {
    if (signal?.aborted) throw abortedError(signal, "a checked pack", "a stop; nothing was written");
  };
  const breather = new Breather(stop);
  const reader = new PackReader(engine, stream);
  try {
    stop();
    const header = await reader.header();
    checkKind(parts, header, options);
    if (state.dimension === null) await ingest.prepare();
    const { documents, chunks, vectors } = header.counts;
    const meter = new PackMeter(options.onProgress, "checking", { documents, vectors: chunks + vectors });
    const found = new VectorCheck(parts, options, chunks + vectors);
    const choices = new Map<string, PackChoice>();
    const ids = new IdList();
    const uuids = new IdList();
    const digests: string[] = [];
    let chunkCount = 0;
    for await (const batch of reader.batches()) {
      for (const document of batch.documents) {
        await checkRecord(engine, document.record, breather);
        await choose(engine, options, document, choices);
        for (const { id } of isOutsideRecord(document.record) ? document.record.chunks : []) uuids.add(id);
      }
      for (const id of idsHere(parts, header, batch.documents)) ids.add(id);
      const texts = await packTexts(parts, batch, breather);
      chunkCount += texts.chunks;
      await found.batch(batch, texts.byHash, header);
      digests.push(batch.digests.join());
      meter.add(
        batch.documents.length,
        texts.chunks + (vectors > 0 ? batch.vectors.length : 0),
        batch.position,
      );
      await breather.due();
    }
    if (chunkCount !== chunks) throw packDamaged(`${chunks} chunks`, `${chunkCount}`);
    if (uuids.hasTwice()) throw packDamaged("each UUID once", "one twice");
    const signedBy = checkSignature(reader.end.digest, reader.end.signature, required);
    return { header, end: reader.end, signedBy, digests, choices, ids, vectors: found };
  } finally {
    await reader.close();
  }
}

/** Returns the ids that documents have in this library. */
function idsHere(
  { engine, state }: LibraryParts,
  { canon }: PackHeader,
  documents: readonly NamedRecord[],
): readonly Uint8Array[] {
  const { namespace } = state.canon;
  if (canon["namespace"] === namespace) return documents.map(({ id }) => id);
  const paths = documents.map(({ record }) => record.path);
  return documentIds(engine, paths, namespace);
}

/** Asks the caller what becomes of a document. */
async function choose(
  engine: Engine,
  { choose: ask }: ImportPackOptions,
  document: NamedRecord,
  choices: Map<string, PackChoice>,
): Promise<void> {
  if (ask === undefined) return;
  const id = toHex(document.id);
  const choice = await ask(offered(id, document));
  if (choice === "take") return;
  const path = choice === "leave" ? null : choice?.path;
  if (path === undefined || (path !== null && isOutsideRecord(document.record)))
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected choose to return "take", "leave" or, for a text, { path }, got something else for ${document.record.path}`,
    );
  choices.set(id, choice === "leave" ? choice : { path: canonicalPath(engine, path!) });
}

function offered(id: string, { record, value, metadataHash }: NamedRecord): PackedDocument {
  const isOutside = isOutsideRecord(record);
  return {
    id,
    path: record.path,
    value: toHex(value),
    metadataHash: toHex(metadataHash),
    modifiedAt: isOutside ? null : record.modifiedAt,
    isOutside,
    text: () =>
      isOutside
        ? `${record.chunks.map(({ text }) => utf8ToString(text)).join("\n\n")}\n`
        : utf8ToString(record.text),
  };
}
