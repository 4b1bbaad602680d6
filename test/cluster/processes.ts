/** The processes of a cluster under test: `selfsame cluster …`, as a user starts them, that can be killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

const MAIN = join(import.meta.dirname, "../../dist/cli/main.js");

export class Process {
  readonly name: string;
  readonly #args: readonly string[];
  #child: ChildProcess | null = null;
  /** The last that it said, for failures. */
  said = "";

  constructor(name: string, args: readonly string[]) {
    this.name = name;
    this.#args = args;
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  start(): this {
    const child = spawn(process.execPath, [MAIN, ...this.#args], { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout!, child.stderr!])
      stream.on("data", (data: Buffer) => {
        this.said = (this.said + data).slice(-4000);
      });
    this.#child = child;
    return this;
  }

  /** Ends it, and waits until it is gone. */
  async end(signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (child === null || !this.isRunning) return;
    const gone = new Promise((done) => child.once("exit", done));
    child.kill(signal);
    await gone;
  }
}

/** Runs a command to its end and returns what it printed. */
export function run(
  args: readonly string[],
  input = "",
): Promise<{ status: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["pipe", "pipe", "pipe"] });
    const out = { stdout: "", stderr: "" };
    child.stdout.on("data", (data: Buffer) => {
      out.stdout += data;
    });
    child.stderr.on("data", (data: Buffer) => {
      out.stderr += data;
    });
    child.once("exit", (code) => done({ status: code ?? -1, ...out }));
    child.stdin.end(input);
  });
}
