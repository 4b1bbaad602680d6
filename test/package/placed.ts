import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "../..");

/** A copy of an example, with its dependencies in place. */
export interface Placed {
  readonly folder: string;
  /** Runs a script of its package.json and gives what it printed; rejects if it fails. */
  npmRun(script: string): Promise<string>;
  remove(): void;
}

/**
 * Copies an example into a folder of its own and links what its package.json asks for, as `npm install` does with a
 * `file:` dependency: the package is this tree, the rest comes from its node_modules.
 */
export function place(example: string): Placed {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `selfsame-${example}-`)));
  cpSync(join(ROOT, "examples", example), folder, { recursive: true });
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  for (const name of Object.keys({ ...dependencies, ...devDependencies }))
    link(name === "selfsame" ? ROOT : join(ROOT, "node_modules", name), join(folder, "node_modules", name));
  link(join(ROOT, "node_modules/.bin/vite"), join(folder, "node_modules/.bin/vite"));
  chmodSync(join(ROOT, "dist/cli.bundle/main.js"), 0o755);
  link(join(ROOT, "dist/cli.bundle/main.js"), join(folder, "node_modules/.bin/selfsame"));
  return {
    folder,
    npmRun: async (script) => {
      const options = { cwd: folder, env: { ...process.env, NO_COLOR: "1" } };
      return (await promisify(execFile)("npm", ["run", "--silent", script], options)).stdout;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}
