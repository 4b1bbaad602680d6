/** One library, and the same documents in shards of this process. */
import type { OpenOptions, SearchAnswer, SearchParameters } from "selfsame";
import type { Shard } from "#dist/cluster/shard.js";
import { shardFacts } from "#dist/cluster/shard-facts.js";
import { ShardServer } from "#dist/cluster/shard-server.js";
import { openSharded, type ShardedLibrary } from "#dist/cluster/sharded-library.js";
import { wholeFacts } from "#dist/cluster/whole.js";
import { documentId } from "#dist/identity/ids.js";
import { Library } from "#dist/library/library.js";
import type { LibraryParts } from "#dist/library/library-parts.js";
import { openParts } from "#dist/library/open.js";
import { canonicalPath } from "#dist/text/path.js";
import { isBelow } from "#dist/vectors/prefix.js";
import { type Opened, openTiny } from "../library/opened.ts";

/** Adds those documents to a library whose paths are wanted. */
export type Fill = (library: Library, isWanted: (path: string) => boolean) => Promise<unknown>;

export interface Documents {
  readonly options: OpenOptions;
  readonly fill: Fill;
}

/** A library that holds everything. */
export async function openWhole({ options, fill }: Documents): Promise<Opened> {
  const opened = await openTiny(":memory:", options);
  await fill(opened.library, () => true);
  return opened;
}

/** The same documents in shards, and how often these were asked. */
export interface Split {
  readonly sharded: ShardedLibrary;
  readonly shards: readonly Shard[];
  /** The number of questions to all shards since it was set to 0. */
  asked: number;
  close(): Promise<void>;
}

export async function splitInto(
  { parts: whole }: Opened,
  { options, fill }: Documents,
  prefixes: readonly string[],
): Promise<Split> {
  const index = await whole.semantic.current(whole.state.root());
  const { answersByGraph } = index;
  const open = { model: "tiny", workers: 1, ...options };
  const held: LibraryParts[] = [];
  const split = { asked: 0 };
  const facts = [];
  const shards: Shard[] = [];
  for (const prefix of prefixes) {
    const parts = await openParts(":memory:", open, { answersByGraph });
    held.push(parts);
    const { engine, state } = parts;
    const isWanted = (path: string) =>
      isBelow(documentId(engine, canonicalPath(engine, path), state.canon.namespace), prefix);
    await fill(new Library(parts), isWanted);
    const own = await shardFacts(parts, prefix);
    facts.push(own);
    const server = new ShardServer(parts, prefix);
    const ask = (request: Uint8Array) => {
      split.asked++;
      return server.answer(request.slice());
    };
    shards.push({ prefix, state: own.state, ask });
  }
  const all = wholeFacts(whole.engine, whole.state.canon, JSON.parse(JSON.stringify(facts)), answersByGraph);
  const sharded = await openSharded({ facts: all, shards, open });
  return Object.assign(split, {
    sharded,
    shards,
    close: async () => {
      await sharded.close();
      for (const parts of held) await new Library(parts).close();
    },
  });
}

/** Cuts the ids of documents into `count` prefixes at random; where graphs answer, never within a segment. */
export async function randomPrefixes(
  { parts }: Opened,
  count: number,
  next: () => number,
): Promise<string[]> {
  const index = await parts.semantic.current(parts.state.root());
  const segments = index.answersByGraph ? index.segments.map(({ prefix }) => prefix) : null;
  const isCut = (prefix: string) =>
    segments === null || segments.some((each) => each.length > prefix.length && each.startsWith(prefix));
  const prefixes = [""];
  while (prefixes.length < count) {
    const open = prefixes.filter(isCut);
    if (open.length === 0) break;
    const chosen = open[next() % open.length]!;
    prefixes.splice(prefixes.indexOf(chosen), 1, `${chosen}0`, `${chosen}1`);
  }
  return prefixes.sort();
}

/** An answer without what is measured. */
export function canonicalPart({ timings, ...answer }: SearchAnswer): Omit<SearchAnswer, "timings"> {
  return answer;
}

export type Question = readonly [query: string, parameters: SearchParameters];
