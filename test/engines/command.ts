import { spawn } from "node:child_process";

export interface CommandOptions {
  readonly cwd?: string;
  readonly minutes?: number;
  /** Called with each line of stderr. */
  readonly onLine?: (line: string) => void;
}

/** The stdout of a command; rejects with the end of its stderr if it fails, is not there or takes too long. */
export function run(command: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { cwd, minutes = 20, onLine } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), minutes * 60_000);
    let out = "";
    let errors = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-4000);
      if (onLine !== undefined) for (const line of text.split("\n")) if (line !== "") onLine(line);
    });
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(new Error(`expected to run ${command}, got ${error.message}`));
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(out);
      else reject(new Error(`${command} ended with ${signal ?? `exit code ${code}`}: ${lastLines(errors)}`));
    });
  });
}

export async function isInstalled(command: string): Promise<boolean> {
  return run("sh", ["-c", 'command -v "$1"', "sh", command]).then(
    () => true,
    () => false,
  );
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-3).join(" | ").slice(0, 600) || "no message";
}
