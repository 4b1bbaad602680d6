/** Servers as users start them (the command, in a process of its own), and the SDK's client to talk to them. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { expect } from "vitest";
import { toolsOf } from "#dist/mcp/tools.js";

const MAIN = join(import.meta.dirname, "../../dist/cli.bundle/main.js");

export const TRANSPORTS = ["stdio", "http"] as const;
export type TransportName = (typeof TRANSPORTS)[number];

const ALL_TOOLS = ["--contracts", "--writable"];
const OUTPUTS = new Map(
  toolsOf({ contracts: true, writable: true }).map(({ name, output }) => [name, output]),
);

/** The longest that a client waits for an answer: the machine may be busy. */
const TIMEOUT_MS = 300_000;

/** A client and whatever is to be ended after it. */
export interface Connected {
  readonly client: Client;
  /** What a tool answers with all fields, which must not be an error and must be what its schema says. */
  call(name: string, args?: Record<string, unknown>): Promise<Answer>;
  /** What a tool answers as text, as agents get it. */
  text(name: string, args?: Record<string, unknown>): Promise<string>;
  /** The error that a tool answers. */
  refusal(name: string, args?: Record<string, unknown>): Promise<Refusal>;
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: schemas are checked by the client; tests look at what they need
export type Answer = any;

export interface Refusal {
  readonly code: string | undefined;
  readonly hint: string | undefined;
  readonly text: string;
}

/** A server with all tools and one client, over either transport. */
export async function connect(
  transport: TransportName,
  folder: string,
  ...args: string[]
): Promise<Connected> {
  if (transport === "stdio") return connectPlain(folder, ...ALL_TOOLS, ...args);
  const server = await HttpServerProcess.start(folder, ...args);
  const connected = await server.connect();
  return {
    ...connected,
    async close() {
      await connected.close();
      await server.stop();
    },
  };
}

/** A server with the tools that its arguments ask for. */
export async function connectPlain(folder: string, ...args: string[]): Promise<Connected> {
  const command = { command: process.execPath, args: [MAIN, "mcp", ...args], cwd: folder };
  return connected(new StdioClientTransport({ ...command, stderr: "ignore" }));
}

/** A client's side, with the tools' schemas known, so that every answer is checked against them. */
export async function connected(transport: Transport): Promise<Connected> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const inputs = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema.properties ?? {}]));
  const ask = async (name: string, args: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: args }, undefined, { timeout: TIMEOUT_MS })) as CallToolResult;
  return {
    client,
    async call(name, args) {
      const isAsked = "structured" in (inputs.get(name) ?? {});
      const result = await ask(name, { ...args, ...(isAsked ? { structured: true } : {}) });
      expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
      expect(JSON.parse((result.content[0] as { text: string }).text)).toStrictEqual(
        result.structuredContent,
      );
      OUTPUTS.get(name)!.parse(result.structuredContent);
      return result.structuredContent;
    },
    async text(name, args) {
      const { isError, content, structuredContent } = await ask(name, args);
      expect([isError, structuredContent], JSON.stringify(content)).toStrictEqual([undefined, undefined]);
      return (content[0] as { text: string }).text;
    },
    async refusal(name, args) {
      const result = await ask(name, args);
      expect(result.isError, JSON.stringify(result)).toBe(true);
      expect(result.structuredContent).toBeUndefined();
      const error = result._meta?.["selfsame/error"] as { code: string; hint: string } | undefined;
      return { code: error?.code, hint: error?.hint, text: (result.content[0] as { text: string }).text };
    },
    close: () => client.close(),
  };
}

/** `selfsame mcp`, as a process whose streams tests hold. */
export class ServerProcess {
  readonly process: ChildProcess;
  output = "";
  errors = "";
  /** The exit code. */
  readonly ended: Promise<number | null>;

  constructor(folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.process = spawn(process.execPath, [MAIN, "mcp", ...args], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    this.process.stdout!.on("data", (data) => {
      this.output += data;
    });
    this.process.stderr!.on("data", (data) => {
      this.errors += data;
    });
    this.process.stdin!.on("error", () => undefined);
    this.ended = new Promise((resolve) => this.process.on("close", resolve));
  }

  write(line: string): void {
    this.process.stdin!.write(`${line}\n`);
  }

  /** Waits for something in what it has written so far. */
  async until<T>(find: (server: this) => T | null | undefined | false): Promise<T> {
    for (;;) {
      const found = find(this);
      if (found) return found;
      if (this.process.exitCode !== null) throw new Error(`ended: ${this.errors}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** The messages on standard output, every line of which must be one. */
  messages(): Answer[] {
    return this.output
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  async stop(): Promise<number | null> {
    this.process.kill("SIGTERM");
    return this.ended;
  }
}

/** A server that many clients reach. */
export class HttpServerProcess extends ServerProcess {
  url = "";

  static async start(folder: string, ...args: string[]): Promise<HttpServerProcess> {
    const server = new HttpServerProcess(folder, ["--http", "0", ...ALL_TOOLS, ...args]);
    server.url = await server.until(({ errors }) => /listening on (\S+?)(,|\n)/.exec(errors)?.[1]);
    return server;
  }

  connect(headers: Record<string, string> = {}): Promise<Connected> {
    return connectHttp(this.url, headers);
  }
}

export async function connectHttp(url: string, headers: Record<string, string> = {}): Promise<Connected> {
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  const client = await connected(transport);
  return {
    ...client,
    async close() {
      await transport.terminateSession();
      await client.close();
    },
  };
}

/** Writes files by their paths; `days` after 2020 is when they were modified. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>, days = 0): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    const time = new Date(Date.UTC(2020, 0, 1 + days));
    utimesSync(file, time, time);
  }
}

/** Files of ten chunks each: a batch is few of them, so most are still to come when the first are told of. */
export function manyFiles(count: number): Record<string, string> {
  const section = (i: number, part: number) => `# Number ${i}\n\nPart ${part} of document number ${i}.\n\n`;
  const text = (i: number) => Array.from({ length: 10 }, (_, part) => section(i, part)).join("");
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`many/${i}.md`, text(i)]));
}
