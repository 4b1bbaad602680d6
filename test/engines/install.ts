// Puts engines where rows find them: npm packages and foreign libraries into .cache/engines/, programs by Debian's apt-get.
// Nothing of it belongs to the package's own dependencies, and nothing runs an install script.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { isInstalled, run } from "./command.ts";

/** An engine cannot be had on this machine; the message says why. */
export class NotThere extends Error {}

const here = import.meta.dirname;
export const CACHE = join(here, "../../.cache/engines");

const installing = new Map<string, Promise<string>>();

/** Installs the packages of test/engines/packages/<folder>/package-lock.json, once; returns their node_modules. */
export function npmEngines(folder: "common" | "foreign"): Promise<string> {
  let packages = installing.get(folder);
  if (packages === undefined) {
    packages = installPackages(folder).catch(notThere);
    installing.set(folder, packages);
  }
  return packages;
}

function notThere(error: Error): never {
  throw new NotThere(error.message);
}

async function installPackages(folder: string): Promise<string> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error(
      `expected Linux on x64, for which engines are pinned, got ${process.platform} on ${process.arch}`,
    );
  }
  const [from, to] = [join(here, "packages", folder), join(CACHE, "npm", folder)];
  const lock = readFileSync(join(from, "package-lock.json"), "utf8");
  const stamp = join(to, "installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return join(to, "node_modules");
  mkdirSync(to, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(from, file), join(to, file));
  // --force: packages for another CPU than this one are wanted here.
  const options = ["--ignore-scripts", "--force", "--no-audit", "--no-fund", "--fetch-retries=5"];
  const install = () => run("npm", ["ci", ...options], { cwd: to });
  // The registry may be away for a moment.
  await install().catch(install);
  writeFileSync(stamp, lock);
  return join(to, "node_modules");
}

/** Makes sure of a program, by its Debian package if need be. */
export async function debianProgram(command: string, packageName: string): Promise<string> {
  if (await isInstalled(command)) return command;
  const way = `apt-get install ${packageName}`;
  if (process.getuid?.() !== 0) throw new NotThere(`${command} is not installed, and only root can: ${way}`);
  if (!(await isInstalled("apt-get")))
    throw new NotThere(`${command} is not installed, and this is not Debian: ${way}`);
  await inTurn(async () => {
    await run("apt-get", ["update"]);
    await run("apt-get", ["install", "-y", "--no-install-recommends", ...packageName.split(" ")]);
  }).catch(notThere);
  return command;
}

let last: Promise<unknown> = Promise.resolve();

/** apt-get holds a lock: one after the other. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work, work);
  last = turn.catch(() => undefined);
  return turn;
}

const LIBRARIES = ["libc6", "libstdc++6", "libgcc-s1", "libatomic1"];

/**
 * A folder with the C and C++ libraries of a Debian architecture, for qemu-user. apt gets folders of its own for what it
 * knows, so that the machine learns of no other architecture.
 */
export function foreignLibraries(architecture: string): Promise<string> {
  return unpackLibraries(architecture).catch(notThere);
}

async function unpackLibraries(architecture: string): Promise<string> {
  const to = join(CACHE, "libraries", architecture);
  const root = join(to, "root");
  if (existsSync(join(to, "installed"))) return root;
  rmSync(to, { recursive: true, force: true });
  const [state, cache, debs] = ["state", "cache", "debs"].map((name) => join(to, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [join(state, "lists/partial"), join(cache, "archives/partial"), debs, root]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(join(state, "status"), "");
  const options = [
    `APT::Architecture=${architecture}`,
    `APT::Architectures=${architecture}`,
    `Dir::State=${state}`,
    `Dir::State::status=${join(state, "status")}`,
    `Dir::Cache=${cache}`,
    "Acquire::Languages=none",
    "APT::Sandbox::User=root",
  ].flatMap((option) => ["-o", option]);
  // Some sources of the machine may not have this architecture: what matters is whether the download finds it.
  await run("apt-get", [...options, "update"]).catch(() => undefined);
  await run("apt-get", [...options, "download", ...LIBRARIES], { cwd: debs });
  for (const file of readdirSync(debs)) await run("dpkg", ["-x", join(debs, file), root]);
  makeLinksRelative(root);
  writeFileSync(join(to, "installed"), "");
  return root;
}

/** qemu-user would follow an absolute link out of the folder. */
function makeLinksRelative(root: string): void {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) continue;
    const link = join(entry.parentPath, entry.name);
    const target = readlinkSync(link);
    if (!target.startsWith("/")) continue;
    rmSync(link);
    symlinkSync(relative(dirname(link), join(root, target)), link);
  }
}

/** A Python package with a pinned digest; returns the folder to put on PYTHONPATH. */
export function pythonPackage(requirements: string): Promise<string> {
  return installPython(requirements).catch(notThere);
}

async function installPython(requirements: string): Promise<string> {
  const to = join(CACHE, "python");
  const wanted = readFileSync(join(here, requirements), "utf8");
  const stamp = join(to, "installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return to;
  const pip = [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--target",
    to,
    "--upgrade",
    "--require-hashes",
    "--only-binary",
    ":all:",
  ];
  await run("python3", [...pip, "-r", join(here, requirements)]);
  writeFileSync(stamp, wanted);
  return to;
}
