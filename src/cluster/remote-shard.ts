import { SelfsameError } from "../errors/selfsame-error.ts";
import { badClusterData } from "./bad-cluster-data.ts";
import type { Connection } from "./connection.ts";
import { pause } from "./persistently.ts";
import { BEAT_HEADER, PART_HEADER } from "./serve-shards.ts";
import { ANSWER_BYTES_MAX, REQUEST_BYTES_MAX, type Shard } from "./shard.ts";

/** A server that says nothing for this long is gone. */
const SILENT_MS = 4000;
/** How long the servers of a shard may all be away: after a restart, one is back within seconds. */
const AWAY_MS = 6000;
const AGAIN_MS = 200;
const PARTS_MAX = ANSWER_BYTES_MAX;
/** What NATS adds to a message. */
const OVERHEAD_BYTES = 4096;

/** A shard behind NATS: any server that holds its state answers, and another one if that is gone. */
export class RemoteShard implements Shard {
  readonly prefix: string;
  readonly state: string;
  readonly #connection: Connection;
  readonly #awayMs: number;

  constructor(connection: Connection, prefix: string, state: string, awayMs = AWAY_MS) {
    this.prefix = prefix;
    this.state = state;
    this.#connection = connection;
    this.#awayMs = awayMs;
  }

  async ask(request: Uint8Array): Promise<Uint8Array> {
    const most = Math.min(
      REQUEST_BYTES_MAX,
      (this.#connection.nats.info?.max_payload ?? 1 << 20) - OVERHEAD_BYTES,
    );
    if (request.length > most)
      throw new SelfsameError(
        "BAD_ARGUMENT",
        `expected a question to a shard of at most ${most} bytes, got ${request.length}`,
        "Ask for less, or set max_payload of the NATS servers higher",
      );
    const until = performance.now() + this.#awayMs;
    for (;;) {
      const answer = await this.#once(request);
      if (answer !== null) return answer;
      if (performance.now() > until) throw shardUnavailable(this.prefix, this.state);
      await pause(AGAIN_MS);
    }
  }

  /** Asks one server. Returns null if there is none, or if it fell silent. */
  #once(request: Uint8Array): Promise<Uint8Array | null> {
    const { nats, names } = this.#connection;
    return new Promise((done, fail) => {
      const inbox = this.#connection.inbox();
      const parts: Uint8Array[] = [];
      let expected: number | null = null;
      let bytes = 0;
      let timer: NodeJS.Timeout;
      const end = (finish: () => void) => {
        clearTimeout(timer);
        subscription.unsubscribe();
        finish();
      };
      const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(() => end(() => done(null)), SILENT_MS);
      };
      const subscription = nats.subscribe(inbox, {
        callback: (error, message) => {
          if (error !== null || message.headers?.code === 503) return end(() => done(null));
          if (message.headers?.get(BEAT_HEADER)) return wait();
          const [at, count] = (message.headers?.get(PART_HEADER) ?? "").split(" ").map(Number);
          const isNext =
            at === parts.length && count! >= 1 && count! <= PARTS_MAX && count === (expected ?? count);
          bytes += message.data.length;
          if (!isNext || bytes > ANSWER_BYTES_MAX)
            return end(() =>
              fail(badClusterData(`the next part of an answer of shard "${this.prefix}"`, "another")),
            );
          expected = count!;
          parts.push(message.data);
          if (parts.length === count) return end(() => done(joined(parts, bytes)));
          wait();
        },
      });
      wait();
      try {
        nats.publish(names.shardSubject(this.state), request, { reply: inbox });
      } catch {
        end(() => done(null)); // the connection is down
      }
    });
  }
}

/** Returns the error for a shard that nobody answers for. */
export function shardUnavailable(prefix: string, state: string): SelfsameError {
  return new SelfsameError(
    "SHARD_UNAVAILABLE",
    `expected a server that holds shard "${prefix}", got none`,
    "Start servers (selfsame cluster serve); selfsame cluster status shows which shards lack one. With allowPartial the others answer",
    { details: { prefix, state } },
  );
}

function joined(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
