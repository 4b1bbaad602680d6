import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A child process that runs one of the scripts beside this file. */
export class Child {
  readonly process: ChildProcess;
  /** All that it has written so far. */
  output = "";
  readonly ended: Promise<number | null>;
  #errors = "";

  constructor(script: string, ...args: string[]) {
    const [program, ...more] = this.launcher();
    this.process = spawn(program, [...more, join(import.meta.dirname, script), ...args]);
    this.process.stdout!.on("data", (data) => {
      this.output += data;
    });
    this.process.stderr!.on("data", (data) => {
      this.#errors += data;
    });
    this.ended = new Promise((resolve) => this.process.on("close", resolve));
  }

  /** The command that runs a script. */
  protected launcher(): [program: string, ...args: string[]] {
    return [process.execPath];
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

/** True if this user may make namespaces, as containers do. */
export const hasNamespaces =
  spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "--uts", "true"]).status === 0;

/** A child process with a pid namespace and a host name of its own, as in a container. */
export class ContainedChild extends Child {
  protected override launcher(): [program: string, ...args: string[]] {
    const name = 'hostname contained 2>/dev/null; exec "$@"';
    const unshare = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--uts"] as const;
    return [...unshare, "sh", "-c", name, "sh", process.execPath];
  }

  /** Sends a signal to the script itself, which is the first process of its namespace. */
  signal(signal: NodeJS.Signals): void {
    const { pid } = this;
    process.kill(Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")), signal);
  }

  override async kill(): Promise<void> {
    this.signal("SIGKILL");
    await this.ended;
  }
}
