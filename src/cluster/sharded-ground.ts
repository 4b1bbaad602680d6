import { littleEndianBytes, vectorOf } from "../engine/byte-order.ts";
import { fromHex, toHex } from "../engine/digest.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Content } from "../search/chunk-contents.ts";
import type { Place } from "../search/chunk-places.ts";
import type { CompiledFilters } from "../search/filters.ts";
import type { ChannelLists, ChunkName, ListsQuestion, SearchGround, Stopwatch } from "../search/ground.ts";
import { compareLexical } from "../search/lexical.ts";
import { scoredItems } from "../search/match.ts";
import type { NearWords } from "../search/near-words.ts";
import type { Distant } from "../search/pipeline.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import { mergedNearWords } from "./merge-words.ts";
import type { NamedChunks, WholeGiven } from "./messages.ts";
import type { WholeFacts } from "./shard.ts";
import type { ShardClient, ShardClients } from "./shard-clients.ts";
import type { Answer } from "./wire.ts";

/** What shards tell of every chunk that they list, because the pipeline will ask for it. */
export interface Wanted {
  readonly vector: Int16Array | null;
  readonly simHashes: boolean;
  readonly filters: CompiledFilters | null;
}

interface Named extends Place {
  readonly dot: number | null;
  readonly simHash: string | null;
  readonly isPassing: boolean | null;
}

/** The counts of one question over all shards. */
interface Counted {
  readonly key: string;
  readonly occur: readonly boolean[];
  readonly whole: WholeGiven;
}

/**
 * All shards of a library together, for one search: counts are added, lists are merged in their total orders, and
 * everything else is asked of the shard that has the document. SPEC §29.5, §29.6
 */
export class ShardedGround implements Distant<SearchGround> {
  readonly #shards: ShardClients;
  readonly #facts: WholeFacts;
  readonly #wanted: Wanted;
  readonly #stopwatch: Stopwatch;
  readonly #named = new Map<string, Named>();
  #counted: Counted | null = null;

  constructor(shards: ShardClients, facts: WholeFacts, wanted: Wanted, stopwatch: Stopwatch) {
    this.#shards = shards;
    this.#facts = facts;
    this.#wanted = wanted;
    this.#stopwatch = stopwatch;
  }

  async occurring(words: readonly string[], next: ListsQuestion): Promise<readonly boolean[]> {
    this.#counted = await this.#count(words, next);
    return this.#counted.occur;
  }

  async nearWords(words: readonly string[]): Promise<readonly NearWords[]> {
    const answers = await this.#shards.askAll("near", { words: [...words] });
    return words.map((_, i) => mergedNearWords(answers.map((answer) => answer[i]!)));
  }

  async lists(question: ListsQuestion): Promise<ChannelLists> {
    const { lexical, semantic, sparse, filters } = question;
    const stop = (["lexical", "semantic", "sparse"] as const)
      .filter((channel) => question[channel] !== null)
      .map((channel) => this.#stopwatch(channel));
    const known = this.#counted?.key === keyOf(question) ? this.#counted : null;
    const { whole } = known ?? (await this.#count([], question));
    const { vector, simHashes, filters: passed } = this.#wanted;
    const answers = await this.#shards.askAll("lists", {
      lists: {
        query: mutable(question.query),
        bindsPhrases: question.bindsPhrases,
        filters: filters === null ? null : { ...filters.canonical },
        lexical,
        semantic: semantic && { ...semantic, vector: hexOf(semantic.vector) },
        sparse: sparse && {
          terms: sparse.terms && { terms: [...sparse.terms.terms], weights: [...sparse.terms.weights] },
          tokens: [...sparse.tokens],
          k: sparse.k,
        },
      },
      whole,
      wanted: {
        vector: vector && hexOf(vector),
        simHashes,
        filters: passed === null ? null : { ...passed.canonical },
      },
    });
    for (const { named } of answers) this.#note(named);
    for (const each of stop) each();
    return {
      lexical: this.#lexical(answers).slice(0, lexical?.k ?? 0),
      semantic: merged(answers, "semantic", ({ dots }) => dots)
        .slice(0, semantic?.k ?? 0)
        .map(({ id, score }) => ({ id, dot: score })),
      sparse: merged(answers, "sparse", ({ scores }) => scores).slice(0, sparse?.k ?? 0),
    };
  }

  async places(chunkIds: readonly string[]): Promise<readonly Place[]> {
    return chunkIds.map((id) => this.#of(id));
  }

  async passing(documentIds: readonly string[]): Promise<ReadonlySet<string>> {
    const passing = [...this.#named.values()].filter(({ isPassing }) => isPassing === true);
    const set = new Set(passing.map(({ documentId }) => documentId));
    return new Set(documentIds.filter((id) => set.has(id)));
  }

  async simHashes(chunks: readonly ChunkName[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const hashes = new Map<string, Uint8Array>();
    for (const { chunkId } of chunks) {
      const { simHash } = this.#of(chunkId);
      if (simHash) hashes.set(chunkId, fromHex(simHash));
    }
    return hashes;
  }

  async dots(chunks: readonly ChunkName[]): Promise<ReadonlyMap<string, number>> {
    const dots = new Map<string, number>();
    for (const { chunkId } of chunks) {
      const { dot } = this.#of(chunkId);
      if (dot !== null) dots.set(chunkId, dot);
    }
    return dots;
  }

  async vectors(chunks: readonly ChunkName[]): Promise<ReadonlyMap<string, Int16Array>> {
    const found = await this.#askOwners(chunks, (shard, ids) => shard.ask("vectors", { ids }));
    return new Map(
      [...found].filter(([, hex]) => hex !== "").map(([id, hex]) => [id, vectorOf(fromHex(hex))]),
    );
  }

  async contents(chunks: readonly ChunkName[]): Promise<ReadonlyMap<string, Content>> {
    return this.#askOwners(chunks, (shard, ids) => shard.ask("contents", { ids }));
  }

  /** Asks each shard for the chunks that it has. */
  async #askOwners<T>(
    chunks: readonly ChunkName[],
    ask: (shard: ShardClient, ids: string[]) => Promise<readonly T[]>,
  ): Promise<Map<string, T>> {
    const byShard = new Map<ShardClient, string[]>();
    for (const { chunkId, documentId } of chunks) {
      const shard = this.#shards.owner(documentId);
      const ids = byShard.get(shard);
      if (ids === undefined) byShard.set(shard, [chunkId]);
      else ids.push(chunkId);
    }
    const found = new Map<string, T>();
    await Promise.all(
      Array.from(byShard, async ([shard, ids]) => {
        const answers = await ask(shard, ids);
        if (answers.length !== ids.length) throw shard.bad(`${ids.length} answers`, `${answers.length}`);
        for (const [i, id] of ids.entries()) found.set(id, answers[i]!);
      }),
    );
    return found;
  }

  /** Adds up what the shards count for a question. SPEC §29.5 */
  async #count(words: readonly string[], question: ListsQuestion): Promise<Counted> {
    const { query, lexical, semantic, sparse } = question;
    const needsExcluded = semantic !== null || sparse !== null;
    const items = [
      ...new Set([...(lexical === null ? [] : scoredItems(query)), ...(needsExcluded ? query.excluded : [])]),
    ];
    const tokens = sparse === null || sparse.terms !== null ? [] : [...new Set(sparse.tokens)];
    const isAsked = words.length + items.length + tokens.length > 0;
    const answers = isAsked ? await this.#shards.askAll("count", { words: [...words], items, tokens }) : [];
    const having = items.map((_, i) => sum(answers.map((answer) => answer.having[i])));
    const excluded = new Set(needsExcluded ? query.excluded : []);
    const { shards, segments, answersByGraph } = this.#facts;
    return {
      key: keyOf(question),
      occur: words.map((_, i) => answers.some(({ occur }) => occur[i] === true)),
      whole: {
        words: {
          totals: {
            chunks: sum(shards.map((shard) => shard.words.chunks)),
            tokens: sum(shards.map((shard) => shard.words.tokens)),
          },
          ...{ items, having },
        },
        // How many is not needed: a chunk with two of the items counts twice.
        excluded: sum(items.map((item, i) => (excluded.has(item) ? having[i] : 0))),
        sparse: {
          size: sum(shards.map((shard) => shard.sparse)),
          tokens,
          having: tokens.map((_, i) => sum(answers.map((answer) => answer.sparse[i]))),
        },
        ...{ segments, answersByGraph },
      },
    };
  }

  #lexical(answers: readonly Answer<"lists">[]) {
    return answers
      .flatMap(({ lexical: { ids, bm25 } }) =>
        ids.map((id, i) => {
          const { chunkId, documentId, path, sequence } = this.#of(id);
          return { chunkId, documentId, path, sequence, bm25: bm25[i]! };
        }),
      )
      .sort(compareLexical);
  }

  #note({ ids, documents, paths, sequences, dots, simHashes, passing }: NamedChunks): void {
    for (const [i, chunkId] of ids.entries())
      this.#named.set(chunkId, {
        ...{ chunkId, documentId: documents[i]!, path: paths[i]!, sequence: sequences[i]! },
        dot: dots?.[i] ?? null,
        simHash: simHashes?.[i] ?? null,
        isPassing: passing?.[i] ?? null,
      });
  }

  #of(chunkId: string): Named {
    const known = this.#named.get(chunkId);
    if (known !== undefined) return known;
    throw new SelfsameError("BAD_SHARD", `expected shards to describe the chunk ${chunkId}, got nothing`);
  }
}

type Listed = Answer<"lists">;

/** Merges lists by (score descending, id): hexadecimal digits have the order of the bytes. SPEC §10.2, §24.2 */
function merged<C extends "semantic" | "sparse">(
  answers: readonly Listed[],
  channel: C,
  scoresOf: (list: Listed[C]) => readonly number[],
): { readonly id: string; readonly score: number }[] {
  return answers
    .flatMap((answer) => {
      const list = answer[channel];
      const scores = scoresOf(list);
      return list.ids.map((id, i) => ({ id, score: scores[i]! }));
    })
    .sort((a, b) => b.score - a.score || compareUtf8(a.id, b.id));
}

/** Names what is counted for a question. */
function keyOf({ query, lexical, semantic, sparse }: ListsQuestion): string {
  return JSON.stringify([query, lexical !== null, semantic !== null, sparse]);
}

function mutable({ phrases, terms, excluded }: ListsQuestion["query"]) {
  return { phrases: [...phrases], terms: [...terms], excluded: [...excluded] };
}

function hexOf(vector: Int16Array): string {
  return toHex(littleEndianBytes(vector));
}

function sum(numbers: readonly (number | undefined)[]): number {
  return numbers.reduce<number>((total, each) => total + (each ?? 0), 0);
}
