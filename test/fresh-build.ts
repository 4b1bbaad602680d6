/**
 * Before all tests: they run what was built, so a build that is older than its source is an error, not a surprise. The
 * host's files are compared by the hashes that the compiler keeps, the engine's by their times.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, normalize } from "node:path";

const root = join(import.meta.dirname, "..");
const BUILDS = ["simd", "soft", "scalar"];

interface BuildInfo {
  readonly fileNames: readonly string[];
  readonly fileInfos: readonly (string | { readonly version: string })[];
}

export default function setup(): void {
  const stale = staleFile();
  if (stale === null) return;
  throw new Error(`expected dist/ and build/ to be made from this source, got ${stale}. Run: npm run build`);
}

/** Says which file was not built from its source as it is now; null if all were. */
export function staleFile(): string | null {
  const info = join(root, "dist/.tsbuildinfo");
  if (!existsSync(info)) return "no dist/";
  const built = builtFrom(JSON.parse(readFileSync(info, "utf8")) as BuildInfo);
  for (const file of sources("src").filter((name) => !name.startsWith(join("src", "web")))) {
    const hash = createHash("sha256")
      .update(readFileSync(join(root, file), "utf8"))
      .digest("hex");
    if (built.get(file) !== hash) return `${file}, which has changed`;
  }
  return staleBundle(info) ?? staleEngine();
}

/** The bundles are made of dist/, after each compilation that changed it. */
function staleBundle(info: string): string | null {
  for (const bundle of ["browser.bundle/index.js", "cli.bundle/main.js"]) {
    const file = join(root, "dist", bundle);
    if (!existsSync(file)) return `no dist/${bundle}`;
    if (statSync(file).mtimeMs < statSync(info).mtimeMs) return `dist/${bundle}, which is older than dist/`;
  }
  return null;
}

function builtFrom({ fileNames, fileInfos }: BuildInfo): Map<string, string> {
  const version = (at: number) => {
    const each = fileInfos[at]!;
    return typeof each === "string" ? each : each.version;
  };
  return new Map(fileNames.map((name, at) => [normalize(join("dist", name)), version(at)]));
}

function staleEngine(): string | null {
  const newest = Math.max(...sources("assembly").map((file) => statSync(join(root, file)).mtimeMs));
  for (const build of BUILDS) {
    const file = join(root, `build/engine.${build}.wasm`);
    if (!existsSync(file)) return `no build/engine.${build}.wasm`;
    if (statSync(file).mtimeMs < newest) return `build/engine.${build}.wasm, which is older than assembly/`;
  }
  return null;
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"));
}
