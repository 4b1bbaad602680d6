import type { ServerResponse } from "node:http";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Posts } from "./posts.ts";

/** One client over HTTP. */
export interface Session {
  /** What it is about, such as a namespace. */
  readonly subject: string;
  readonly server: McpServer;
  readonly transport: StreamableHTTPServerTransport;
  readonly posts: Posts;
}

interface Held extends Session {
  /** Requests that are being answered, the stream on which a client listens among them. */
  open: number;
  usedMs: number;
  /** Whether its client has come back after `initialize`. */
  isConfirmed: boolean;
}

/** A place for a session that is about to begin. */
export interface Place {
  /** Adds the session and starts counting the request that began it. */
  take(id: string, session: Session, response: ServerResponse): void;
  /** Gives the place back if no session took it. */
  release(): void;
}

const SWEEP_MS = 60_000;

/** The sessions of all clients. Their number is bounded, and idle ones end. */
export class Sessions {
  readonly #max: number;
  readonly #idleMs: number;
  readonly #held = new Map<string, Held>();
  #reserved = 0;
  readonly #sweeping: NodeJS.Timeout;

  constructor(max: number, idleMs: number) {
    this.#max = max;
    this.#idleMs = idleMs;
    this.#sweeping = setInterval(() => this.#sweep(), Math.min(SWEEP_MS, idleMs)).unref();
  }

  get size(): number {
    return this.#held.size;
  }

  /** Finds the session of a client that comes back. It counts as in use until the response is written. */
  use(id: string, subject: string, response: ServerResponse): Session | null {
    const held = this.#held.get(id);
    if (held === undefined || held.subject !== subject) return null;
    held.isConfirmed = true;
    count(held, response);
    return held;
  }

  /**
   * Reserves a place for a new session; null if there is none. If all are taken, the oldest session whose client has never come
   * back ends. Any other session is in use, so a flood of `initialize` can only displace its own.
   */
  reserve(): Place | null {
    if (this.#held.size + this.#reserved >= this.#max && !this.#endUnconfirmed()) return null;
    this.#reserved++;
    let isReserved = true;
    const release = () => {
      if (isReserved) this.#reserved--;
      isReserved = false;
    };
    const take = (id: string, session: Session, response: ServerResponse) => {
      release();
      const held: Held = { ...session, open: 0, usedMs: performance.now(), isConfirmed: false };
      this.#held.set(id, held);
      count(held, response);
    };
    return { take, release };
  }

  delete(id: string): void {
    this.#held.delete(id);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    await Promise.all([...this.#held.values()].map(({ server }) => server.close()));
  }

  #endUnconfirmed(): boolean {
    // In order of insertion, so the first is the oldest.
    const found = [...this.#held].find(([, { isConfirmed, open }]) => !isConfirmed && open === 0);
    if (found === undefined) return false;
    this.#end(...found);
    return true;
  }

  /** Ends the sessions of clients that left without saying so. */
  #sweep(): void {
    const before = performance.now() - this.#idleMs;
    for (const [id, held] of [...this.#held])
      if (held.open === 0 && held.usedMs < before) this.#end(id, held);
  }

  #end(id: string, { server }: Held): void {
    this.#held.delete(id);
    void server.close();
  }
}

/** Counts a request from before its body is read until its response is written. */
function count(held: Held, response: ServerResponse): void {
  held.open++;
  held.usedMs = performance.now();
  response.once("close", () => {
    held.open--;
    held.usedMs = performance.now();
  });
}
