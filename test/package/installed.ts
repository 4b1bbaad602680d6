import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** The package as a user has it. */
export interface Installed {
  /** What `npm pack` wrote. */
  readonly tarball: string;
  /** The tarball's files. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly packedBytes: number;
  /** A folder with nothing in it but a package.json and the installed package. */
  readonly folder: string;
  /** Runs a program in that folder and gives what it printed; throws if it fails. */
  run(command: string, ...args: string[]): string;
  remove(): void;
}

/** Packs the tree as it is built, and installs that in an empty folder; what it depends on comes from the registry. */
export function packAndInstall(): Installed {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "selfsame-package-")));
  const run = (cwd: string, command: string, ...args: string[]): string =>
    execFileSync(command, args, {
      cwd,
      encoding: "utf8",
      env: userEnvironment(),
      maxBuffer: 64 << 20,
      stdio: ["ignore", "pipe", "pipe"],
    });
  // Without scripts: `prepare` would build once more what is being tested.
  const packed = run(ROOT, "npm", "pack", "--ignore-scripts", "--json", "--pack-destination", folder);
  const [{ filename, files, size }] = JSON.parse(packed);
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const quietly = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--fetch-retries=5"];
  const install = () => run(folder, "npm", "install", `./${filename}`, ...quietly);
  // The registry may be away for a moment.
  try {
    install();
  } catch {
    install();
  }
  return {
    tarball: join(folder, filename),
    files,
    packedBytes: size,
    folder,
    run: (command, ...args) => run(folder, command, ...args),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Without what `npm test` tells its children of this project: it would follow them into the other folder. */
function userEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) =>
      !/^npm_(package|lifecycle|command|config_local_prefix)/.test(name) &&
      !/^(INIT_CWD|NODE_ENV|VITEST.*)$/.test(name),
  );
  return { ...Object.fromEntries(own), NO_COLOR: "1" };
}
