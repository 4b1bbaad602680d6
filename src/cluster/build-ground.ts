import { blake3, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import type { BaseShards } from "./base-shards.ts";
import type { Change } from "./changes.ts";
import type { Definition } from "./definition.ts";
import type { LayoutGround } from "./layout.ts";
import type { SpooledVectors } from "./spooled-vectors.ts";

/** A change, with what the document was and what it becomes. */
export interface PlannedChange extends Change {
  /** The weight of the document in the base (SPEC §29.13); 0 if it was not there. */
  readonly before: number;
  /** Its weight from now on; 0 if it is removed. */
  readonly after: number;
  /** The hashes of its chunks' texts, in hexadecimal, each once. */
  readonly textHashes: readonly string[];
}

/** The documents of a build, as the layout asks about them: those of the base, and what changes. */
export class BuildGround implements LayoutGround {
  readonly shardChunks: number;
  readonly #engine: Engine;
  readonly #segment: number;
  readonly #index: string;
  readonly #base: BaseShards;
  readonly #changes: readonly PlannedChange[];
  readonly #spool: SpooledVectors;
  readonly #touched: ReadonlySet<string>;
  #answersByGraph: boolean | null = null;

  constructor(
    engine: Engine,
    definition: Definition,
    base: BaseShards,
    changes: readonly PlannedChange[],
    spool: SpooledVectors,
  ) {
    this.#engine = engine;
    this.shardChunks = definition.shardChunks;
    this.#segment = Number(definition.parts.segment);
    this.#index = definition.parts.index;
    this.#base = base;
    this.#changes = changes;
    this.#spool = spool;
    this.#touched = new Set(changes.map(({ id }) => toHex(id)));
  }

  /** Whether a document of the base is changed or removed, by its id in hexadecimal. */
  readonly isTouched = (id: string): boolean => this.#touched.has(id);

  /** The changes below a prefix. */
  below(prefix: string): PlannedChange[] {
    return this.#changes.filter(({ bits }) => bits.startsWith(prefix));
  }

  async weight(prefix: string): Promise<number> {
    let weight = this.below(prefix).reduce((sum, { before, after }) => sum + after - before, 0);
    for (const shard of this.#base.overlapping(prefix)) {
      const isWhole = shard.facts.prefix.startsWith(prefix);
      weight += isWhole ? shard.weight : (await this.#base.library(shard)).weight(prefix);
    }
    return weight;
  }

  async isOneDocument(prefix: string): Promise<boolean> {
    const ids = new Set(this.below(prefix).flatMap(({ after, id }) => (after > 0 ? [toHex(id)] : [])));
    for (const shard of this.#base.overlapping(prefix)) {
      if (ids.size > 1) return false;
      // One more than those that are gone is enough to know.
      const most = this.#changes.length + 2;
      const there = (await this.#base.library(shard)).documentsBelow(prefix, most);
      for (const id of there) if (!this.isTouched(id)) ids.add(id);
    }
    return ids.size <= 1;
  }

  async isSegment(prefix: string): Promise<boolean> {
    return (await this.answersByGraph()) && (await this.#fits(prefix));
  }

  /** Whether graphs answer, by the set of all vectors. SPEC §14.3 */
  async answersByGraph(): Promise<boolean> {
    this.#answersByGraph ??= this.#index === "hnsw" || (this.#index === "auto" && !(await this.#fits("")));
    return this.#answersByGraph;
  }

  /** Returns whether at most S distinct vectors are below a prefix. SPEC §10.10 */
  async #fits(prefix: string): Promise<boolean> {
    const shards = this.#base.overlapping(prefix);
    for (const { facts } of shards) {
      if (!facts.prefix.startsWith(prefix)) continue;
      const gone = this.below(facts.prefix).reduce((sum, { before }) => sum + before, 0);
      if (facts.vectors.distinct - gone > this.#segment) return false;
    }
    const vectors = new Set<string>();
    for (const { textHashes } of this.below(prefix))
      for (const textHash of textHashes) {
        const vector = this.#spool.get(textHash);
        if (vector !== null) vectors.add(toHex(blake3(this.#engine, vector)));
        if (vectors.size > this.#segment) return false;
      }
    for (const shard of shards) {
      const library = await this.#base.library(shard);
      library.distinctBelow(prefix, this.isTouched, vectors, this.#segment);
      if (vectors.size > this.#segment) return false;
    }
    return true;
  }
}
