import { toHex } from "#dist/engine/digest.js";
import type { ChunkInfo, DocumentInfo } from "#dist/library/contents.js";
import type { Hit } from "#dist/vectors/vector-index.js";
import type { Opened } from "./opened.ts";

/** All that a library answers from, in a form that compares: two libraries are the same exactly if this is equal. */
export interface LibraryState {
  readonly root: string;
  readonly metadataRoot: string;
  readonly canon: string;
  readonly documents: readonly DocumentInfo[];
  readonly chunks: readonly (readonly ChunkInfo[])[];
  /** Of every chunk that a query finds: its path, sequence, and the bits of its bm25. */
  readonly lexical: readonly (readonly string[])[];
  readonly indexDigest: string;
  readonly exact: readonly (readonly string[])[];
  readonly graph: readonly (readonly string[])[];
}

export async function stateOf(
  opened: Opened,
  lexicalQueries: readonly string[],
  semanticQueries: readonly string[],
): Promise<LibraryState> {
  const { library, parts } = opened;
  const root = await library.root();
  const index = await parts.semantic.current(root);
  const vectors = await Promise.all(semanticQueries.map((query) => parts.embedder.embed(query)));
  const documents = await library.documents();
  return {
    root,
    metadataRoot: await library.metadataRoot(),
    canon: library.canon,
    documents,
    chunks: await Promise.all(documents.map(({ path }) => library.chunks(path))),
    lexical: lexicalQueries.map((query) => bm25Bits(opened, query)),
    indexDigest: toHex(index.digest()),
    exact: vectors.map((vector) => index.exact(vector, { k: 20 }).map(printed)),
    graph: index.answersByGraph ? vectors.map((vector) => index.search(vector, { k: 20 }).map(printed)) : [],
  };
}

function bm25Bits({ parts }: Opened, query: string): string[] {
  const bits = new DataView(new ArrayBuffer(8));
  return parts.database
    .all<{ path: string; sequence: number; score: number }>(
      `SELECT path, sequence, bm25(search) AS score
       FROM search JOIN chunks ON chunk = search.rowid JOIN documents USING (documentId)
       WHERE search MATCH ? ORDER BY path, sequence`,
      [query],
    )
    .map(({ path, sequence, score }) => {
      bits.setFloat64(0, score);
      return `${path} ${sequence} ${bits.getBigUint64(0).toString(16)}`;
    });
}

function printed({ id, dot }: Hit): string {
  return `${toHex(id)} ${dot}`;
}
