/** A server in this process, with the small model, and what tests ask of it. */
import { join } from "node:path";
import { afterAll } from "vitest";
import { type ServerOptions, startServer } from "#dist/serve/index.js";
import { scratchFolder } from "../store/scratch.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas; tests look at what they need
export type Answer = any;

export interface Running {
  readonly url: string;
  readonly data: string;
  /** The log, line by line. */
  readonly lines: Answer[];
  /** Sends JSON and returns the status and the JSON of the answer. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly json: Answer }>;
  close(graceMs?: number): Promise<void>;
}

export async function running(options: Partial<ServerOptions> = {}): Promise<Running> {
  const data = options.data ?? join(scratchFolder(), "data");
  const lines: Answer[] = [];
  const server = await startServer({
    port: 0,
    version: "0.0.0",
    ...options,
    data,
    namespaces: { model: "tiny", workers: 1, readers: 0, ...options.namespaces },
    log: { destination: { write: (line) => void lines.push(JSON.parse(line)) }, ...options.log },
  });
  let isClosed = false;
  const close = async (graceMs?: number) => {
    if (!isClosed) await server.close(graceMs);
    isClosed = true;
  };
  afterAll(() => close());
  return {
    url: server.url,
    data,
    lines,
    close,
    async send(method, path, body, headers = {}) {
      const response = await fetch(server.url + path, {
        method,
        headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        json: text === "" ? null : JSON.parse(text),
      };
    },
  };
}

/** Notes on made-up subjects, each with its own words and metadata. */
export function notes(count: number, subject = "ties"): { path: string; text: string; metadata: object }[] {
  return Array.from({ length: count }, (_, i) => ({
    path: `${subject}/${String(i).padStart(3, "0")}.md`,
    text: `# Note ${i} on ${subject}\n\nEqual scores stand by path, says number ${i}. ${"Größe 😀 ".repeat(i % 3)}`,
    metadata: { subject, channel: i % 2 === 0 ? "docs" : "papers", number: i },
  }));
}
