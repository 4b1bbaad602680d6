import { littleEndianBytes, vectorOf } from "../engine/byte-order.ts";
import { fromHex, toHex } from "../engine/digest.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { chunkOf, chunksOf, documentOf, documentsOf, pathsOf } from "../library/contents.ts";
import type { LibraryParts } from "../library/library-parts.ts";
import type { Roots } from "../library/library-state.ts";
import { onReadyState, type SearchNeeds } from "../library/searched.ts";
import { compileFilters } from "../search/filters.ts";
import type { ListsQuestion, Stopwatch } from "../search/ground.ts";
import { LocalGround, type LocalParts, type WholeCounts } from "../search/local-ground.ts";
import { wordsNear, wordsOccur } from "../search/near-words.ts";
import { checkSparseIntegers } from "../search/sparse-query.ts";
import { WordLists } from "../search/word-lists.ts";
import type { Database } from "../store/database.ts";
import type { NamedChunks, WholeGiven } from "./messages.ts";
import { shardState } from "./shard-facts.ts";
import {
  type Answer,
  decodeRequest,
  encodeAnswer,
  encodeRefusal,
  type Given,
  type QuestionName,
  type ShardRequest,
} from "./wire.ts";

type Answers = { readonly [Q in QuestionName]: (given: Given<Q>) => Promise<Answer<Q>> };

const NO_STOPWATCH: Stopwatch = () => () => undefined;
const NO_NEEDS: SearchNeeds = { vectors: false, sparse: false };

/**
 * Answers questions about a shard from the library that holds its documents. A question is about one state; if the library
 * has another one, that is the refusal SHARD_CHANGED. SPEC §29.4
 */
export class ShardServer {
  readonly #parts: LibraryParts;
  readonly #prefix: string;
  /** The state of the roots that were seen last. */
  #known: Roots & { readonly state: string } = { root: "", metadataRoot: "", state: "" };

  /** @param parts opened with `answersByGraph` of the whole, if graphs answer there */
  constructor(parts: LibraryParts, prefix: string) {
    this.#parts = parts;
    this.#prefix = prefix;
  }

  /** Returns the answer to a request. A refusal is an answer, too: it never rejects. */
  async answer(request: Uint8Array): Promise<Uint8Array> {
    try {
      const asked = decodeRequest(request);
      return encodeAnswer(await this.#answers(asked));
    } catch (error) {
      return encodeRefusal(error);
    }
  }

  #answers({ state, ask, given }: ShardRequest): Promise<unknown> {
    const at = <T>(needs: SearchNeeds, work: (local: LocalParts) => T): Promise<T> =>
      onReadyState(this.#parts, needs, (local, roots) => {
        this.#checkState(state, roots);
        return work(local);
      });
    const read = <T>(work: (database: Database) => T) => at(NO_NEEDS, ({ database }) => work(database));
    const answers: Answers = {
      count: ({ words, items, tokens }) =>
        at({ vectors: false, sparse: tokens.length > 0 }, ({ database, sparse }) => {
          const lists = new WordLists(database);
          return {
            occur: wordsOccur(database, words),
            having: items.map((item) => lists.of(item).size),
            sparse: tokens.map((token) => sparse?.having(token) ?? 0),
          };
        }),
      near: ({ words }) =>
        read((database) =>
          wordsNear(database, words).map(({ distance, words: near }) => ({ distance, words: [...near] })),
        ),
      lists: (question) => {
        const { semantic, sparse } = question.lists;
        const needs = {
          vectors: semantic !== null || question.wanted.vector !== null,
          sparse: sparse !== null,
        };
        return at(needs, (local) => this.#lists(local, question));
      },
      vectors: ({ ids }) =>
        at({ vectors: true, sparse: false }, ({ index }) =>
          ids.map((id) => hexOf(index!.vector(fromHex(id)))),
        ),
      contents: ({ ids }) =>
        at(NO_NEEDS, (local) => {
          const ground = new LocalGround(local, NO_STOPWATCH);
          const contents = ground.contents(ids.map((chunkId) => ({ chunkId, documentId: "" })));
          return ids.map((id) => {
            const { headingPath, ...content } = contents.get(id)!;
            return { ...content, headingPath: [...headingPath] };
          });
        }),
      documents: ({ after, match, limit }) =>
        read((database) =>
          documentsOf(database, {
            ...(after === undefined ? {} : { after }),
            ...(match === undefined ? {} : { match }),
            ...(limit === undefined ? {} : { limit }),
          }),
        ),
      document: ({ id }) => read((database) => documentOf(database, fromHex(id))),
      chunks: ({ id }) => read((database) => chunksOf(database, fromHex(id))),
      chunk: ({ id }) => read((database) => chunkOf(database, id)),
      paths: ({ ids }) => read((database) => pathsOf(database, ids)),
    };
    return (answers[ask] as (given: unknown) => Promise<unknown>)(given);
  }

  #checkState(asked: string, roots: Roots): void {
    const { engine, state } = this.#parts;
    if (this.#known.root !== roots.root || this.#known.metadataRoot !== roots.metadataRoot)
      this.#known = { ...roots, state: shardState(engine, state.canonDigest, roots, this.#prefix) };
    if (this.#known.state === asked) return;
    throw new SelfsameError(
      "SHARD_CHANGED",
      `expected a question about the state ${this.#known.state} of shard "${this.#prefix}", got one about ${asked}`,
      "Ask a holder of that state, or search the current manifest",
    );
  }

  #lists(local: LocalParts, { lists: given, whole, wanted }: Given<"lists">): Answer<"lists"> {
    const { engine } = this.#parts;
    const ground = new LocalGround(local, NO_STOPWATCH, wholeOf(whole));
    if (given.semantic?.allowsGraph === true && local.index!.answersByGraph !== whole.answersByGraph)
      throw new SelfsameError(
        "SHARD_CHANGED",
        `expected a shard whose graphs ${whole.answersByGraph ? "answer" : "do not answer"}, got another`,
        "Open the shard as its manifest says",
      );
    this.#checkDim(given.semantic?.vector ?? wanted.vector);
    this.#checkDim(wanted.vector);
    const terms = given.sparse?.terms;
    if (terms != null) checkSparseIntegers("sparse", terms);
    const { lexical, semantic, sparse } = ground.lists({
      ...given,
      filters: given.filters === null ? null : compileFilters(engine, given.filters),
      semantic: given.semantic && { ...given.semantic, vector: vectorOf(fromHex(given.semantic.vector)) },
    } satisfies ListsQuestion);
    const found = new Set([
      ...lexical.map(({ chunkId }) => chunkId),
      ...[...semantic, ...sparse].map(({ id }) => id),
    ]);
    return {
      lexical: { ids: lexical.map(({ chunkId }) => chunkId), bm25: lexical.map(({ bm25 }) => bm25) },
      semantic: { ids: semantic.map(({ id }) => id), dots: semantic.map(({ dot }) => dot) },
      sparse: { ids: sparse.map(({ id }) => id), scores: sparse.map(({ score }) => score) },
      named: this.#named(ground, [...found], wanted),
    };
  }

  #checkDim(vector: string | null): void {
    const { dim } = this.#parts.semantic;
    if (vector === null || vector.length === 4 * dim) return;
    throw new SelfsameError(
      "BAD_VECTOR",
      `expected a vector of ${dim} numbers, as the shard's are, got ${vector.length / 4}`,
    );
  }

  /** What is wanted of each chunk. */
  #named(ground: LocalGround, ids: readonly string[], wanted: Given<"lists">["wanted"]): NamedChunks {
    const places = ground.places(ids);
    const ofEach = <T>(map: ReadonlyMap<string, T>) => places.map(({ chunkId }) => map.get(chunkId));
    const filters = wanted.filters === null ? null : compileFilters(this.#parts.engine, wanted.filters);
    const documents = places.map(({ documentId }) => documentId);
    const passing = filters && ground.passing([...new Set(documents)], filters);
    const vector = wanted.vector === null ? null : vectorOf(fromHex(wanted.vector));
    return {
      ids: places.map(({ chunkId }) => chunkId),
      documents,
      paths: places.map(({ path }) => path),
      sequences: places.map(({ sequence }) => sequence),
      dots: vector && ofEach(ground.dots(places, vector)).map((dot) => dot ?? null),
      simHashes: wanted.simHashes
        ? ofEach(ground.simHashes(places)).map((hash) => (hash === undefined ? "" : toHex(hash)))
        : null,
      passing: passing && documents.map((id) => passing.has(id)),
    };
  }
}

function hexOf(vector: Int16Array | undefined): string {
  return vector === undefined ? "" : toHex(littleEndianBytes(vector));
}

function wholeOf({ words, excluded, sparse, segments }: WholeGiven): WholeCounts {
  const having = new Map(sparse.tokens.map((token, i) => [token, sparse.having[i] ?? 0]));
  return {
    words: {
      totals: words.totals,
      having: new Map(words.items.map((item, i) => [item, words.having[i] ?? 0])),
    },
    excluded,
    sparse: { size: sparse.size, having: (token) => having.get(token) ?? 0 },
    segments,
  };
}
