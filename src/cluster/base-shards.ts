import type { Definition } from "./definition.ts";
import type { Manifest, ManifestShard } from "./manifest.ts";
import type { ShardFiles } from "./shard-files.ts";
import { ShardLibrary } from "./shard-library.ts";

/** So many shards are open at a time. */
const OPEN_MAX = 4;

/** The shards of the manifest that a build starts from. They are fetched and opened when they are needed, and never changed. */
export class BaseShards {
  readonly shards: readonly ManifestShard[];
  /** Whether graphs answer there; null if there is no base. */
  readonly answersByGraph: boolean | null;
  readonly #definition: Definition;
  readonly #files: ShardFiles;
  /** The least recently used first. */
  readonly #open = new Map<string, ShardLibrary>();

  constructor(manifest: Manifest | null, definition: Definition, files: ShardFiles) {
    this.shards = manifest?.shards ?? [];
    this.answersByGraph = manifest?.answersByGraph ?? null;
    this.#definition = definition;
    this.#files = files;
  }

  /** Returns the shard that an id is in, given by its bits; undefined if no shard covers it. */
  covering(bits: string): ManifestShard | undefined {
    return this.shards.find(({ facts }) => bits.startsWith(facts.prefix));
  }

  /** Returns the shards that have documents below a prefix. */
  overlapping(prefix: string): ManifestShard[] {
    return this.shards.filter(
      ({ facts }) => facts.prefix.startsWith(prefix) || prefix.startsWith(facts.prefix),
    );
  }

  /** Returns the open library of a shard, for reading. It stays open until a few others were opened. */
  async library(shard: ManifestShard): Promise<ShardLibrary> {
    const known = this.#open.get(shard.file);
    if (known !== undefined) {
      this.#open.delete(shard.file);
      this.#open.set(shard.file, known);
      return known;
    }
    const library = await ShardLibrary.open(await this.#files.fetch(shard), this.#definition);
    this.#open.set(shard.file, library);
    for (const [file, oldest] of this.#open) {
      if (this.#open.size <= OPEN_MAX) break;
      this.#open.delete(file);
      await oldest.close();
    }
    return library;
  }

  async close(): Promise<void> {
    for (const library of this.#open.values()) await library.close();
    this.#open.clear();
  }
}
