/** A NATS server of its own for a test: on loopback, on a free port, with a temporary folder. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class NatsServer {
  readonly url: string;
  readonly folder: string;
  readonly #port: number;
  #process: ChildProcess | null = null;

  private constructor(port: number) {
    this.#port = port;
    this.url = `nats://127.0.0.1:${port}`;
    this.folder = mkdtempSync(join(tmpdir(), "selfsame-nats-"));
  }

  static async start(): Promise<NatsServer> {
    const server = new NatsServer(await freePort());
    await server.start();
    return server;
  }

  /** Starts it, or starts it again with what it has stored. */
  async start(): Promise<void> {
    const args = [
      "--jetstream",
      "--store_dir",
      this.folder,
      "--addr",
      "127.0.0.1",
      "--port",
      `${this.#port}`,
    ];
    const child = spawn("nats-server", args, { stdio: ["ignore", "ignore", "pipe"] });
    this.#process = child;
    await new Promise<void>((ready, fail) => {
      let said = "";
      child.stderr!.on("data", (data: Buffer) => {
        if (said.length < 100_000) said += data;
        if (said.includes("Server is ready")) ready();
      });
      child.once("error", (error) =>
        fail(new Error(`expected nats-server (Debian: apt-get install nats-server), got: ${error.message}`)),
      );
      child.once("exit", (code) =>
        fail(new Error(`expected nats-server to start, got exit ${code}:\n${said}`)),
      );
    });
  }

  /** Ends it at once, as a loss of power of its machine would. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null) return;
    const gone = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await gone;
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
