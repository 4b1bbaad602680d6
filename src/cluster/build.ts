import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fromHex, toHex } from "../engine/digest.ts";
import { abortedError } from "../errors/selfsame-error.ts";
import { modelDigest } from "../library/canon.ts";
import { BaseShards } from "./base-shards.ts";
import { BuildGround, type PlannedChange } from "./build-ground.ts";
import { type Change, Chunker, inputOf, putDocuments, readChanges } from "./changes.ts";
import { collectGarbage } from "./collect-garbage.ts";
import type { Connection } from "./connection.ts";
import {
  type Definition,
  type DefinitionOptions,
  definitionOf,
  makeCurrent,
  readDefinition,
  recordDefinition,
} from "./definition.ts";
import { cutJobs, type TextToEmbed } from "./job.ts";
import { JobBoard } from "./job-board.ts";
import { shardPrefixes } from "./layout.ts";
import type { ManifestShard } from "./manifest.ts";
import { type CurrentManifest, currentManifest, publishManifest } from "./manifests.ts";
import { operationsThere } from "./operations.ts";
import { shardFacts } from "./shard-facts.ts";
import { ShardFiles } from "./shard-files.ts";
import { type EmbeddedDocument, ShardLibrary } from "./shard-library.ts";
import { SpooledVectors } from "./spooled-vectors.ts";

/** What a build says while it works. */
export type BuildEvent =
  | {
      /** What happened. */ readonly type: "planned";
      /** How many documents changed. */
      readonly changes: number;
      /** How many jobs they need. */
      readonly jobs: number;
      /** How many of these were done before. */
      readonly known: number;
    }
  | {
      /** What happened. */ readonly type: "embedding";
      /** How many jobs have no result yet. */
      readonly waiting: number;
    }
  | {
      /** What happened. */ readonly type: "shard";
      /** The bit prefix of the document ids in it. */
      readonly prefix: string;
      /** How many shards are done. */
      readonly done: number;
      /** How many shards must be made. */
      readonly of: number;
    }
  | {
      /** What happened. */ readonly type: "conflict";
    }
  | {
      /** What happened. */ readonly type: "published";
      /** The digest of the manifest. */
      readonly manifest: string;
      /** The last operation that it contains. */
      readonly sequence: number;
    };

/** Options of a build. */
export interface BuildOptions {
  /** What the cluster is made with; default: as before. Another one is built beside it. */
  readonly definition?: DefinitionOptions;
  /** The folder in which shards are made and kept. */
  readonly folder: string;
  /** Makes this definition the one that searches use, once it is built. */
  readonly activate?: boolean;
  /** Builds everything from the operations again, as if nothing had been built. */
  readonly again?: boolean;
  /** How many manifests keep their objects; default 3. */
  readonly keep?: number;
  /** Objects that no manifest names are kept for this long; default a day. */
  readonly graceMs?: number;
  /** Stops it. What was computed stays. */
  readonly signal?: AbortSignal;
  /** Called as it works. */
  readonly onEvent?: (event: BuildEvent) => void;
}

/** What a build did. */
export interface BuildReport {
  /** The digest of the manifest that counts now. */
  readonly manifest: string;
  /** The digest of everything that decides results. */
  readonly canon: string;
  /** The last operation that it contains. */
  readonly sequence: number;
  /** How many shards there are. */
  readonly shards: number;
  /** How many of them this build made. */
  readonly made: number;
  /** How many jobs were needed. */
  readonly jobs: number;
  /** How many of them had been done before. */
  readonly known: number;
}

/** Jobs are cut within stretches of this many operations, so that two builders cut them alike. SPEC §29.12 */
const STRETCH = 256;
const KEEP_DEFAULT = 3;
const GRACE_MS_DEFAULT = 24 * 3600 * 1000;
/** Documents are written this many at a time. */
const WRITTEN_AT_ONCE = 128;

/** Brings the shards of a cluster up to date with its operations, and publishes them as one manifest. */
export async function buildCluster(connection: Connection, options: BuildOptions): Promise<BuildReport> {
  const definition =
    options.definition === undefined
      ? await readDefinition(connection)
      : await definitionOf(connection.engine, options.definition);
  await recordDefinition(connection, definition);
  const files = new ShardFiles(connection, options.folder);
  for (;;) {
    const report = await new Build(connection, definition, files, options).run();
    if (report !== null) {
      if (options.activate === true) await makeCurrent(connection, definition.canon);
      return report;
    }
    options.onEvent?.({ type: "conflict" }); // another builder was faster: what it built is the new base
  }
}

/** One attempt to get from the manifest that counts to the next one. */
class Build {
  readonly #connection: Connection;
  readonly #definition: Definition;
  readonly #files: ShardFiles;
  readonly #options: BuildOptions;

  constructor(connection: Connection, definition: Definition, files: ShardFiles, options: BuildOptions) {
    this.#connection = connection;
    this.#definition = definition;
    this.#files = files;
    this.#options = options;
  }

  /** Returns null if another builder has published meanwhile. */
  async run(): Promise<BuildReport | null> {
    const { canon } = this.#definition;
    const current = await currentManifest(this.#connection, canon);
    const base = this.#options.again === true ? null : (current?.manifest ?? null);
    const { last } = await operationsThere(this.#connection);
    if (base !== null && base.sequence >= last) return this.#report(current!, 0, 0, 0);
    const shards = new BaseShards(base, this.#definition, this.#files);
    const spoolPath = join(this.#files.folder, `vectors-${crypto.randomUUID()}`);
    const spool = new SpooledVectors(spoolPath, this.#definition.dimension);
    try {
      const { signal } = this.#options;
      const changes = await readChanges(
        ...[this.#connection, this.#definition.parts.namespace, (base?.sequence ?? 0) + 1, last, signal],
      );
      const board = new JobBoard(this.#connection, this.#definition.dimension, spool, signal);
      const planned = await this.#plan(changes, shards, board);
      this.#options.onEvent?.({
        ...{ type: "planned", changes: planned.length, jobs: board.ids.size, known: board.known },
      });
      await board.settled((waiting) => this.#options.onEvent?.({ type: "embedding", waiting }));
      const ground = new BuildGround(this.#connection.engine, this.#definition, shards, planned, spool);
      const made = await this.#shards(ground, shards, spool);
      const published = await publishManifest(this.#connection, current, {
        ...{ canon, sequence: last, previous: current?.digest ?? null },
        answersByGraph: await ground.answersByGraph(),
        shards: made.shards,
        jobs: [...board.ids].sort(),
      });
      if (published === null) return null;
      this.#options.onEvent?.({ type: "published", manifest: published.digest, sequence: last });
      await this.#tidy(published);
      return this.#report(published, made.made, board.ids.size, board.known);
    } finally {
      spool.close();
      await shards.close();
    }
  }

  /** Cuts the documents, and publishes jobs for the texts that have no vector. */
  async #plan(changes: readonly Change[], base: BaseShards, board: JobBoard): Promise<PlannedChange[]> {
    const { engine } = this.#connection;
    const model = modelDigest(engine, this.#definition.parts);
    const planned: PlannedChange[] = [];
    const seen = new Set<string>();
    const scratch = await ShardLibrary.open(":memory:", this.#definition);
    const chunker = new Chunker(scratch.parts);
    let stretch = -1;
    let texts: TextToEmbed[] = [];
    const close = async () => {
      for (const job of cutJobs(engine, model, texts)) await board.add(job);
      texts = [];
    };
    try {
      const documents = putDocuments(this.#connection, changes, this.#options.signal);
      for await (const { change, operation, text } of documents) {
        this.#refuseStopped();
        const at = Math.floor(change.sequence / STRETCH);
        if (at !== stretch) await close();
        stretch = at;
        const library = await this.#baseOf(base, change);
        const document = chunker.name(operation, text);
        if (library?.holds(document)) continue;
        const chunks = await chunker.chunkTexts(document);
        const textHashes = new Set<string>();
        for (const { textHash, text: part } of chunks) {
          const key = toHex(textHash);
          textHashes.add(key);
          if (seen.has(key) || library?.vectorOf(textHash)) continue;
          seen.add(key);
          texts.push({ text: part.slice(), path: operation.path });
        }
        const before = library?.weightOf(change.id) ?? 0;
        planned.push({ ...change, before, after: Math.max(1, chunks.length), textHashes: [...textHashes] });
      }
      await close();
      for (const change of changes) {
        if (change.operation.op !== "remove") continue;
        const before = (await this.#baseOf(base, change))?.weightOf(change.id) ?? 0;
        planned.push({ ...change, before, after: 0, textHashes: [] });
      }
      return planned;
    } finally {
      await scratch.close();
    }
  }

  async #baseOf(base: BaseShards, { bits }: Change): Promise<ShardLibrary | null> {
    const shard = base.covering(bits);
    return shard === undefined ? null : base.library(shard);
  }

  /** Makes the shards whose documents changed; the others stay as they are. */
  async #shards(
    ground: BuildGround,
    base: BaseShards,
    spool: SpooledVectors,
  ): Promise<{ shards: ManifestShard[]; made: number }> {
    const prefixes = await shardPrefixes(ground);
    const answersByGraph = await ground.answersByGraph();
    const isSameIndex = base.answersByGraph === answersByGraph;
    const shards: ManifestShard[] = [];
    let made = 0;
    for (const [i, prefix] of prefixes.entries()) {
      this.#refuseStopped();
      const same = base.shards.find(({ facts }) => facts.prefix === prefix);
      const changes = ground.below(prefix).filter(({ before, after }) => before + after > 0);
      if (same !== undefined && changes.length === 0 && isSameIndex) shards.push(same);
      else {
        shards.push(await this.#shard(prefix, same, changes, ground, base, spool));
        made++;
      }
      this.#options.onEvent?.({ type: "shard", prefix, done: i + 1, of: prefixes.length });
    }
    return { shards, made };
  }

  async #shard(
    prefix: string,
    same: ManifestShard | undefined,
    changes: readonly PlannedChange[],
    ground: BuildGround,
    base: BaseShards,
    spool: SpooledVectors,
  ): Promise<ManifestShard> {
    const path = this.#files.scratch();
    if (same !== undefined) copyFileSync(await this.#files.fetch(same), path);
    const shard = await ShardLibrary.open(path, this.#definition, await ground.answersByGraph());
    try {
      if (same === undefined)
        for (const old of base.overlapping(prefix)) {
          const library = await base.library(old);
          for (const documents of library.embeddedBelow(prefix, ground.isTouched)) await shard.put(documents);
        }
      await shard.remove(changes.filter(({ after }) => after === 0).map(({ operation }) => operation.path));
      await this.#put(shard, changes, base, spool);
      const facts = await shardFacts(shard.parts, prefix);
      const vectors = shard.vectorsDigest();
      const weight = shard.weight(prefix);
      await shard.close();
      return { facts, vectors, weight, ...(await this.#files.store(path, this.#options.signal)) };
    } catch (error) {
      await shard.close().catch(() => undefined);
      rmSync(path, { force: true });
      throw error;
    }
  }

  async #put(
    shard: ShardLibrary,
    changes: readonly PlannedChange[],
    base: BaseShards,
    spool: SpooledVectors,
  ): Promise<void> {
    const hashes = new Map(changes.map((change) => [change.operation.path, change.textHashes]));
    let batch: EmbeddedDocument[] = [];
    const write = async () => {
      await shard.put(batch);
      batch = [];
    };
    const documents = putDocuments(this.#connection, changes, this.#options.signal);
    for await (const { change, operation, text } of documents) {
      this.#refuseStopped();
      const library = await this.#baseOf(base, change);
      const vectors = hashes.get(operation.path)!.flatMap((key) => {
        const textHash = fromHex(key);
        const vector = spool.get(key) ?? library?.vectorOf(textHash) ?? null;
        return vector === null ? [] : [{ textHash, vector }];
      });
      batch.push({ document: inputOf(operation, text), vectors });
      if (batch.length === WRITTEN_AT_ONCE) await write();
    }
    await write();
  }

  /** Removes what is no longer needed. What is missing of the new manifest, because another builder removed it, is stored again. */
  async #tidy(published: CurrentManifest): Promise<void> {
    await this.#files.restore(published.manifest.shards);
    const { keep = KEEP_DEFAULT, graceMs = GRACE_MS_DEFAULT } = this.#options;
    await collectGarbage(this.#connection, this.#files, published, keep, graceMs);
  }

  #report({ digest, manifest }: CurrentManifest, made: number, jobs: number, known: number): BuildReport {
    const { canon, sequence, shards } = manifest;
    return { manifest: digest, canon, sequence, shards: shards.length, made, jobs, known };
  }

  #refuseStopped(): void {
    const { signal } = this.#options;
    if (signal?.aborted) throw abortedError(signal, "all shards", "a stop");
  }
}
