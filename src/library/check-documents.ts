import { Breather } from "../engine/breather.ts";
import { toHex } from "../engine/digest.ts";
import { counted } from "../errors/counted.ts";
import { abortedError, SelfsameError } from "../errors/selfsame-error.ts";
import { documentId, documentValue, textHash } from "../identity/ids.ts";
import { metadataHash } from "../identity/metadata-hash.ts";
import { type Change, MemoryNodes, MerkleTree } from "../identity/root.ts";
import { linksIn } from "../recall/links.ts";
import type { ChunkRow } from "../store/chunks.ts";
import { type LinkRow, linksOf } from "../store/links.ts";
import { INDEX_AGAIN } from "../store/missing-row.ts";
import { chunkRow } from "../store/records.ts";
import { storedFormat } from "../store/stored-json.ts";
import type { TreeName } from "../store/tree-nodes.ts";
import { utf8 } from "../text/canonical.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import type { PreparedDocument } from "./document-input.ts";
import { type Finding, ok, problem } from "./finding.ts";
import type { LibraryParts } from "./library-parts.ts";
import { checkOutsideDocument } from "./outside/check-outside.ts";

type Bytes = Uint8Array<ArrayBuffer>;

interface StoredDocument {
  readonly documentId: Bytes;
  readonly path: string;
  readonly format: string;
  readonly textHash: Bytes;
  readonly textBytes: number;
  readonly modifiedAt: number | null;
  readonly mime: string | null;
  readonly metadata: string | null;
  readonly isOutside: number;
  /** null if a document has lost its text. */
  readonly storedText: string | null;
}

/** The number of attempts, after which the check does not wait for a library that keeps changing. */
const ATTEMPTS = 5;

/** Checks names, hashes, both roots and all chunks: derives them again from the texts. */
export async function checkDocuments(
  parts: LibraryParts,
  signal: AbortSignal | undefined,
): Promise<Finding[]> {
  await parts.ingest.prepare();
  const state = () => JSON.stringify(parts.state.roots());
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = state();
    const findings = await new DocumentsCheck(parts, signal).run();
    // Documents are read one by one, so that other work can go on. If the library changed meanwhile, the result means
    // nothing.
    if (state() === before) return findings;
  }
  throw new SelfsameError(
    "DATABASE_BUSY",
    "expected a library that does not change while it is checked, got changes",
    "Check it again when no process writes to it",
  );
}

class DocumentsCheck {
  readonly #parts: LibraryParts;
  readonly #signal: AbortSignal | undefined;
  readonly #text: Change[] = [];
  readonly #metadata: Change[] = [];
  /** Paths, each with what is wrong with it. */
  readonly #badTexts: string[] = [];
  readonly #badMetadata: string[] = [];
  readonly #badChunks: string[] = [];
  #chunks = 0;

  constructor(parts: LibraryParts, signal: AbortSignal | undefined) {
    this.#parts = parts;
    this.#signal = signal;
  }

  async run(): Promise<Finding[]> {
    const ids = this.#parts.database.all<{ documentId: Bytes }>(
      "SELECT documentId FROM documents ORDER BY path",
    );
    const breather = new Breather();
    for (const [i, { documentId: id }] of ids.entries()) {
      if (this.#signal?.aborted)
        throw abortedError(this.#signal, `a check of ${ids.length} documents`, `a stop after ${i}`);
      this.#parts.database.snapshot(() => this.#visit(id));
      await breather.due();
    }
    return this.#parts.database.snapshot(() => [
      this.#rootFinding("root", "text", this.#text, this.#badTexts),
      this.#rootFinding("metadata root", "metadata", this.#metadata, this.#badMetadata),
      this.#chunksFinding(),
    ]);
  }

  #visit(id: Bytes): void {
    const { engine, database, state } = this.#parts;
    const row = database.get<StoredDocument>(
      `SELECT documentId, path, format, textHash, textBytes, modifiedAt, mime, metadata, isOutside,
              texts.text AS storedText
       FROM documents LEFT JOIN texts USING (documentId) WHERE documentId = ?`,
      [id],
    );
    if (row === undefined) return; // removed since; the roots then differ
    if (row.isOutside === 1) {
      this.#visitOutside(row);
      return;
    }
    const before = this.#problems();
    const text = utf8(row.storedText ?? "") as Bytes;
    const hash = textHash(engine, text);
    if (row.storedText === null) this.#badTexts.push(`${row.path} has no text`);
    else if (toHex(documentId(engine, row.path, state.canon.namespace)) !== toHex(id))
      this.#badTexts.push(`${row.path} has the wrong document id`);
    else if (toHex(hash) !== toHex(row.textHash) || text.length !== row.textBytes)
      this.#badTexts.push(`${row.path} has a text that does not match its hash`);
    this.#checkMetadata(row);
    const hashOfMetadata = metadataHash(engine, row);
    const format = storedFormat(database, row.format);
    const value = documentValue(engine, row.path, format, hash);
    this.#text.push({ id, value });
    this.#metadata.push({ id, value: hashOfMetadata });
    const document = { ...row, id, format, text, textHash: hash, value, metadataHash: hashOfMetadata };
    this.#compareChunks(document);
    // Links are derived from what was checked above. If that is wrong, they are too.
    if (this.#problems() === before) this.#compareLinks(document);
  }

  #problems(): number {
    return this.#badTexts.length + this.#badMetadata.length + this.#badChunks.length;
  }

  /** Derives the values of a document whose chunks were given from these chunks. SPEC §23.2 */
  #visitOutside(row: StoredDocument): void {
    const { engine, database, state } = this.#parts;
    const { documentId: id, path } = row;
    const { chunks, bad, ...derived } = checkOutsideDocument(engine, database, row, state.dimension);
    if (toHex(documentId(engine, path, state.canon.namespace)) !== toHex(id))
      this.#badTexts.push(`${path} has another document's id`);
    else if (toHex(derived.leaf) !== toHex(row.textHash))
      this.#badTexts.push(`${path} has other chunks than its digest says`);
    if (derived.metadata !== row.metadata)
      this.#badMetadata.push(`${path} has other metadata than its chunks`);
    if (bad !== null) this.#badChunks.push(bad);
    this.#chunks += chunks;
    this.#text.push({ id, value: derived.leaf });
    this.#metadata.push({ id, value: derived.metadataHash });
  }

  #checkMetadata({ path, metadata }: StoredDocument): void {
    try {
      JSON.parse(metadata ?? "null");
    } catch {
      this.#badMetadata.push(`${path} has metadata that is not JSON`);
    }
  }

  #compareChunks(document: PreparedDocument): void {
    const { database, ingest } = this.#parts;
    const expected = ingest.chunkAtOnce(document).map((chunk) => chunkRow(document.id, chunk));
    const stored = database.all<ChunkRow>(
      `SELECT chunkId, documentId, sequence, startByte, endByte, line, page, tokens, textHash, headings, searchHeadings,
         text, searchText, simHash, termNorm
       FROM chunks JOIN signatures USING (chunk) WHERE documentId = ? ORDER BY sequence`,
      [document.id],
    );
    this.#chunks += expected.length;
    if (expected.length !== stored.length) {
      this.#badChunks.push(
        `${document.path} has ${counted(stored.length, "chunk")} instead of ${expected.length}`,
      );
      return;
    }
    const wrong = expected.findIndex((row, i) => printed(row) !== printed(stored[i]!));
    if (wrong >= 0) this.#badChunks.push(`${document.path}#${wrong} does not match its document`);
  }

  #compareLinks(document: PreparedDocument): void {
    const printedLinks = (links: readonly LinkRow[]) =>
      JSON.stringify([...new Set(links.map(({ kind, target }) => `${kind} ${target}`))].sort(compareUtf8));
    const stored = linksOf(this.#parts.database, document.id);
    if (printedLinks(linksIn(document)) !== printedLinks(stored))
      this.#badChunks.push(`${document.path} has other links than its text and metadata give`);
  }

  /** Compares every node of a tree with one that is computed from the documents alone. */
  #rootFinding(subject: string, tree: TreeName, leaves: readonly Change[], bad: readonly string[]): Finding {
    const { engine, database, state } = this.#parts;
    const nodes = new MemoryNodes();
    const recomputed = toHex(new MerkleTree(engine, nodes).update(leaves));
    const recorded = toHex(state.trees[tree].root());
    if (bad.length > 0) return problem(subject, listed(bad), INDEX_AGAIN);
    if (recomputed !== recorded)
      return problem(subject, `expected ${recomputed} from the documents, got ${recorded}`, INDEX_AGAIN);
    const rows = database.all<{ prefix: string; record: Uint8Array }>(
      "SELECT prefix, record FROM nodes WHERE tree = ?",
      [tree],
    );
    const isSame = ({ prefix, record }: (typeof rows)[number]) =>
      toHex(nodes.get(prefix) ?? new Uint8Array(0)) === toHex(record);
    if (rows.length !== nodes.size || !rows.every(isSame))
      return problem(subject, "the root is correct, but a node below it is not", INDEX_AGAIN);
    return ok(subject, `${recorded}, recomputed from ${counted(leaves.length, "document")}`);
  }

  #chunksFinding(): Finding {
    if (this.#badChunks.length > 0) return problem("chunks", listed(this.#badChunks), INDEX_AGAIN);
    return ok("chunks", `${counted(this.#chunks, "chunk")}, equal to those recomputed from the texts`);
  }
}

function printed(row: ChunkRow): string {
  const { chunkId, documentId: document, textHash: hash, simHash, ...rest } = row;
  const { sequence, startByte, endByte, line, page, tokens, headings, searchHeadings, text, searchText } =
    rest;
  return JSON.stringify([
    ...[chunkId, document, hash, simHash].map(toHex),
    ...[sequence, startByte, endByte, line, page, tokens, headings, searchHeadings, text, searchText],
    rest.termNorm,
  ]);
}

function listed(bad: readonly string[]): string {
  return bad.length === 1 ? bad[0]! : `${bad[0]}, and ${bad.length - 1} more`;
}
