/** Runs the built command line as a shell would. */
import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "vitest";

export const MAIN = join(import.meta.dirname, "../../dist/cli.bundle/main.js");

/** A folder with files, and the command line in it. */
export class Place {
  readonly folder = mkdtempSync(join(tmpdir(), "selfsame-cli-"));

  /** `{ "docs/a.md": "text" }` */
  constructor(files: Readonly<Record<string, string>> = {}) {
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  path(...parts: string[]): string {
    return join(this.folder, ...parts);
  }

  write(path: string, text: string | Uint8Array): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  run(...args: string[]): SpawnSyncReturns<string> {
    return this.runWith({}, ...args);
  }

  runWith(
    options: {
      env?: NodeJS.ProcessEnv;
      cwd?: string;
      input?: string;
      uid?: number;
      gid?: number;
      timeout?: number;
    },
    ...args: string[]
  ): SpawnSyncReturns<string> {
    return spawnSync(process.execPath, [MAIN, ...args], {
      cwd: this.folder,
      encoding: "utf8",
      maxBuffer: 1 << 28,
      ...options,
      env: { ...process.env, ...options.env },
    });
  }

  /** The document that `--json` prints; nothing may stand beside it. */
  json(command: string, ...args: string[]) {
    const { stdout, stderr, status } = this.run(command, "--json", ...args);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    return JSON.parse(stdout);
  }

  start(...args: string[]): ChildProcess {
    return spawn(process.execPath, [MAIN, ...args], {
      cwd: this.folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Waits until something is so; the test's own timeout ends it otherwise. */
export async function until(test: () => boolean): Promise<void> {
  while (!test()) await new Promise((resume) => setTimeout(resume, 20));
}

/** How it ended, once all that it printed has come. */
export function exitOf(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  return new Promise((resolve) => child.on("close", (code, signal) => resolve(code ?? signal)));
}
