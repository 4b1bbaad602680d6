import { hostname } from "node:os";
import type { Msg, Subscription } from "@nats-io/transport-node";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Connection } from "./connection.ts";
import { type Definition, definedCanons, readDefinition } from "./definition.ts";
import type { Manifest, ManifestShard } from "./manifest.ts";
import { currentManifest, lastManifests } from "./manifests.ts";
import { isDigest } from "./names.ts";
import { pause } from "./persistently.ts";
import { holdersOf } from "./placement.ts";
import { announce, whoIsThere } from "./presence.ts";
import { ANSWER_BYTES_MAX } from "./shard.ts";
import { ShardFiles } from "./shard-files.ts";
import { ShardLibrary } from "./shard-library.ts";
import { ShardServer } from "./shard-server.ts";

/** What a server says while it works. */
export type ServeEvent =
  | {
      /** What happened. */ readonly type: "ready";
      /** The name of the server. */
      readonly id: string;
    }
  | {
      /** What happened. */ readonly type: "holds";
      /** The bit prefix of the shard. */
      readonly prefix: string;
      /** The digest of its contents. */
      readonly state: string;
    }
  | {
      /** What happened. */ readonly type: "drops";
      /** The bit prefix of the shard. */
      readonly prefix: string;
      /** The digest of its contents. */
      readonly state: string;
    }
  | {
      /** What happened. */ readonly type: "failed";
      /** Why. */
      readonly reason: string;
    };

/** Options of a server of shards. */
export interface ServeOptions {
  /** The folder in which files of shards are kept. */
  readonly folder: string;
  /** Its name, the same after a restart, so that its shards stay with it; default: the host's name and the process. */
  readonly id?: string;
  /** How many servers hold each shard; default 2. The same on all servers. */
  readonly replicas?: number;
  /** Stops it. */
  readonly signal?: AbortSignal;
  /** Called as it works. */
  readonly onEvent?: (event: ServeEvent) => void;
}

/** How often a server looks for another manifest and for other servers. */
const LOOK_MS = 1000;
/** Searches end on the state that they began with: so many manifests are served. */
const SERVED_MANIFESTS = 2;
/** An answer is sent in messages of this many bytes. */
const PART_BYTES = 512 << 10;
/** While an answer is computed, the other side hears this often that it will come. */
const BEAT_MS = 1000;
const REPLICAS_DEFAULT = 2;
/** Files that no manifest needs stay on this machine for this long. */
const UNUSED_MS = 3600_000;
const ID = /^[\w.-]{1,64}$/;

/** The headers of a part of an answer, and of the word that one will come. */
export const PART_HEADER = "Selfsame-Part";
export const BEAT_HEADER = "Selfsame-Wait";

interface HeldShard {
  readonly prefix: string;
  readonly library: ShardLibrary;
  readonly subscription: Subscription;
  /** Answers that are being computed. */
  readonly running: Set<Promise<void>>;
}

interface WantedShard {
  readonly shard: ManifestShard;
  readonly manifest: Manifest;
  readonly definition: Definition;
  /** Whether it belongs here by the placement. */
  readonly isPlaced: boolean;
  readonly holders: readonly string[];
}

/** Holds the shards that the placement gives this server, and answers for them, until it is stopped. */
export async function serveShards(connection: Connection, options: ServeOptions): Promise<void> {
  const server = new Server(connection, options);
  try {
    await server.run();
  } finally {
    await server.close();
  }
}

class Server {
  readonly #connection: Connection;
  readonly #options: ServeOptions;
  readonly #id: string;
  readonly #files: ShardFiles;
  /** By state. */
  readonly #held = new Map<string, HeldShard>();

  constructor(connection: Connection, options: ServeOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#id = options.id ?? `${hostname()}-${process.pid}`.replace(/[^\w.-]/g, "_").slice(-64);
    if (!ID.test(this.#id))
      throw new SelfsameError(
        "BAD_ARGUMENT",
        `expected a server's id of 1 to 64 letters, digits, _, . and -, got ${JSON.stringify(this.#id)}`,
      );
    this.#files = new ShardFiles(connection, options.folder);
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    const presence = announce(this.#connection, `server.${this.#id}`, () => ({
      states: [...this.#held.keys()],
    }));
    this.#options.onEvent?.({ type: "ready", id: this.#id });
    try {
      while (!signal?.aborted) {
        try {
          if (await this.#follow()) await presence.now();
        } catch (error) {
          // NATS may be away, or a file not there yet: what is held is served meanwhile.
          const reason = error instanceof Error ? error.message : String(error);
          this.#options.onEvent?.({ type: "failed", reason });
        }
        await pause(LOOK_MS, signal);
      }
    } finally {
      await presence.stop();
    }
  }

  async close(): Promise<void> {
    for (const state of [...this.#held.keys()]) await this.#drop(state);
  }

  /** Takes up and drops shards as manifests and servers say. Returns whether anything changed. */
  async #follow(): Promise<boolean> {
    const there = await whoIsThere(this.#connection, "server");
    const wanted = await this.#wanted(there.map(({ key }) => key));
    const others = new Map(
      there.map(({ key, facts }) => {
        const states = Array.isArray(facts["states"]) ? facts["states"].filter(isDigest) : [];
        return [key, new Set(states)];
      }),
    );
    let isChanged = false;
    for (const [state, want] of wanted) {
      if (!want.isPlaced || this.#held.has(state)) continue;
      if (this.#options.signal?.aborted) return isChanged;
      await this.#take(state, want);
      isChanged = true;
    }
    for (const state of [...this.#held.keys()]) {
      const want = wanted.get(state);
      // What belongs elsewhere now stays here until it is there.
      const isThere = want?.holders.every((holder) => others.get(holder)?.has(state) === true) === true;
      if (want !== undefined && (want.isPlaced || !isThere)) continue;
      await this.#drop(state);
      isChanged = true;
    }
    if (isChanged) this.#files.tidy(new Set([...wanted.values()].map(({ shard }) => shard.file)), UNUSED_MS);
    return isChanged;
  }

  async #wanted(servers: readonly string[]): Promise<Map<string, WantedShard>> {
    const { engine } = this.#connection;
    const { replicas = REPLICAS_DEFAULT } = this.#options;
    const all = [...new Set([...servers, this.#id])];
    const wanted = new Map<string, WantedShard>();
    for (const canon of (await definedCanons(this.#connection)).canons) {
      const current = await currentManifest(this.#connection, canon);
      if (current === null) continue;
      const definition = await readDefinition(this.#connection, canon);
      for (const { manifest } of await lastManifests(this.#connection, current, SERVED_MANIFESTS))
        for (const shard of manifest.shards) {
          const { prefix, state } = shard.facts;
          if (wanted.has(state)) continue;
          const holders = holdersOf(engine, prefix, all, replicas);
          const isPlaced = holders.includes(this.#id);
          wanted.set(state, { shard, manifest, definition, isPlaced, holders });
        }
    }
    return wanted;
  }

  async #take(state: string, { shard, manifest, definition }: WantedShard): Promise<void> {
    const { nats, names } = this.#connection;
    const path = await this.#files.fetch(shard, this.#options.signal);
    const library = await ShardLibrary.open(path, definition, manifest.answersByGraph, true);
    try {
      const { prefix } = shard.facts;
      const server = new ShardServer(library.parts, prefix);
      const { root, metadataRoot } = library.parts.state.roots();
      if (root !== shard.facts.root || metadataRoot !== shard.facts.metadataRoot)
        throw new SelfsameError(
          "BAD_SHARD",
          `expected shard "${prefix}" with root ${shard.facts.root}, got ${root}`,
        );
      await library.library.prepare();
      const running = new Set<Promise<void>>();
      const subscription = nats.subscribe(names.shardSubject(state), {
        queue: "servers",
        callback: (error, message) => {
          if (error !== null) return;
          const answering = this.#answer(server, message).finally(() => running.delete(answering));
          running.add(answering);
        },
      });
      this.#held.set(state, { prefix, library, subscription, running });
      await nats.flush();
      this.#options.onEvent?.({ type: "holds", prefix, state });
    } catch (error) {
      await library.close();
      throw error;
    }
  }

  async #answer(server: ShardServer, message: Msg): Promise<void> {
    const { nats } = this.#connection;
    const { reply } = message;
    if (reply === undefined || reply === "") return;
    const send = (bytes: Uint8Array, name: string, value: string) => {
      const headers = this.#connection.headers();
      headers.set(name, value);
      nats.publish(reply, bytes, { headers });
    };
    const beating = setInterval(() => send(new Uint8Array(0), BEAT_HEADER, "1"), BEAT_MS);
    try {
      const answer = await server.answer(message.data);
      if (answer.length > ANSWER_BYTES_MAX) return;
      const count = Math.max(1, Math.ceil(answer.length / PART_BYTES));
      for (let i = 0; i < count; i++)
        send(answer.subarray(i * PART_BYTES, (i + 1) * PART_BYTES), PART_HEADER, `${i} ${count}`);
    } catch {
      // The connection is closing; the other side asks another server.
    } finally {
      clearInterval(beating);
    }
  }

  async #drop(state: string): Promise<void> {
    const held = this.#held.get(state)!;
    this.#held.delete(state);
    await held.subscription.drain().catch(() => undefined); // what has arrived is answered
    while (held.running.size > 0) await Promise.all(held.running);
    await held.library.close();
    this.#options.onEvent?.({ type: "drops", prefix: held.prefix, state });
  }
}
