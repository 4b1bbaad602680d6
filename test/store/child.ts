import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

/** A child process that runs one of the scripts beside this file. */
export class Child {
  readonly process: ChildProcess;
  /** All that it has written so far. */
  output = "";
  readonly ended: Promise<number | null>;
  #errors = "";

  constructor(script: string, ...args: string[]) {
    this.process = spawn(process.execPath, [join(import.meta.dirname, script), ...args]);
    this.process.stdout!.on("data", (data) => {
      this.output += data;
    });
    this.process.stderr!.on("data", (data) => {
      this.#errors += data;
    });
    this.ended = new Promise((resolve) => this.process.on("close", resolve));
  }

  get pid(): number {
    return this.process.pid!;
  }

  /** Waits until the output has `text`. */
  async says(text: string): Promise<void> {
    while (!this.output.includes(text)) {
      if (this.process.exitCode !== null) throw new Error(`ended before it said ${text}: ${this.#errors}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Waits for a good end. */
  async succeeds(): Promise<void> {
    const code = await this.ended;
    if (code !== 0) throw new Error(`ended with ${code}: ${this.#errors}`);
  }

  async kill(): Promise<void> {
    this.process.kill("SIGKILL");
    await this.ended;
  }
}
