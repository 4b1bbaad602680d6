// The published corpus (test-vectors/corpus/), cut into chunks by the reference.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chunkDocument } from "./chunker.ts";
import { chunkId, documentId, textHash } from "./identity.ts";
import { readManifest, readModelFile } from "./manifest.ts";
import { canonicalText } from "./text.ts";
import { type Vocabulary, vocabularyOf } from "./tokens.ts";

const vectors = join(import.meta.dirname, "../../test-vectors");

export const MODEL = "all-MiniLM-L6-v2";
export const NAMESPACE = "default";

export interface CorpusDocument {
  readonly path: string;
  readonly text: string;
}

export interface CorpusChunk {
  /** path#sequence: what queries are judged by. */
  readonly key: string;
  readonly id: string;
  readonly path: string;
  readonly sequence: number;
  readonly headings: readonly string[];
  readonly text: string;
  readonly tokens: number;
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Every file of the corpus, in the order of the paths' bytes. */
export function readCorpus(): CorpusDocument[] {
  const folder = join(vectors, "corpus");
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((path) => ({ path, text: readFileSync(join(folder, path), "utf8") }));
}

export const readJudged = (file: "queries.jsonl" | "qrels.jsonl"): string =>
  readFileSync(join(vectors, file), "utf8");

export function corpusVocabulary(): Vocabulary {
  return vocabularyOf(new TextDecoder().decode(readModelFile(readManifest(MODEL), "tokenizer")));
}

/** SPEC §11 with the parameters of the model, and §12. */
export function chunksOf({ path, text }: CorpusDocument, vocabulary: Vocabulary): CorpusChunk[] {
  const canonical = canonicalText(new TextEncoder().encode(text));
  const { limit } = readManifest(MODEL);
  const parameters = { maxTokens: limit, overlapTokens: Math.floor(limit / 8), maxBytes: 16 * limit };
  return chunkDocument(vocabulary, path, canonical, parameters).map((chunk) => {
    const bytes = canonical.subarray(chunk.start, chunk.end);
    const { sequence, headingPath: headings, tokens } = chunk;
    const id = hexOf(chunkId(documentId(NAMESPACE, path), sequence, headings, textHash(bytes)));
    return {
      key: `${path}#${sequence}`,
      id,
      path,
      sequence,
      headings,
      text: new TextDecoder().decode(bytes),
      tokens,
    };
  });
}

/** Hex of the document's id → hex of its value in the root. SPEC §13.2 */
export function leavesOf(documents: readonly CorpusDocument[]): Map<string, string> {
  return new Map(
    documents.map(({ path, text }) => [
      hexOf(documentId(NAMESPACE, path)),
      hexOf(textHash(canonicalText(new TextEncoder().encode(text)))),
    ]),
  );
}
