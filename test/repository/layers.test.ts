/**
 * The law of layers, as ARCHITECTURE.md states it: a module imports only modules before it, the edges import entries
 * only, each port is imported by one module, and no two files import each other in a circle. Contract 2 asks for a part
 * of it (CON-001).
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const architecture = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");

/** The names in the line of ARCHITECTURE.md that starts with `- <title>:`. */
function listed(title: string): string[] {
  const line = architecture.split("\n").find((each) => each.startsWith(`- ${title}:`));
  if (line === undefined) throw new Error(`expected ARCHITECTURE.md to have a line "- ${title}:"`);
  return [...line.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
}

const MODULES = listed("Modules");
const OVER_ALL = listed("Over all modules");
const EDGES = listed("Edges");
const ENTRIES = listed("Entries");
const ENGINE_MODULES = listed("Engine modules");
const PORTS = Object.fromEntries(listed("Ports").map((each) => each.split(" of ") as [string, string]));

interface Import {
  readonly file: string;
  readonly line: number;
  /** A path from the repository's root, or a bare name. */
  readonly target: string;
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)].map((match) => {
    const name = match[1]!;
    const line = text.slice(0, match.index).split("\n").length;
    const path = normalize(join(dirname(file), name));
    const target = !name.startsWith(".") ? name : /\.\w+$/.test(path) ? path : `${path}.ts`;
    return { file, line, target };
  });
}

const moduleOf = (path: string) => path.split("/")[1]!;
const src = sources("src").flatMap(importsOf);
const own = src.filter(({ target }) => target.startsWith("src/"));
const said = ({ file, line, target }: Import) => `${file}:${line} imports ${target}`;

function mayImport(importer: string, target: string): boolean {
  const [from, to] = [moduleOf(importer), moduleOf(target)];
  if (importer === "src/index.ts") return MODULES.includes(to);
  if (from === to) return true;
  if (EDGES.includes(from)) return ENTRIES.includes(target);
  const over = OVER_ALL.indexOf(from);
  if (over >= 0) return MODULES.includes(to) || OVER_ALL.slice(0, over).includes(to);
  const [at, of] = [MODULES.indexOf(from), MODULES.indexOf(to)];
  return at >= 0 && of >= 0 && of < at;
}

describe("src/", () => {
  it("has only modules and index.ts", () => {
    const known = [...MODULES, ...OVER_ALL, ...EDGES, "index.ts"];
    expect(readdirSync(join(root, "src")).filter((name) => !known.includes(name))).toEqual([]);
    expect(src.length).toBeGreaterThan(500);
  });

  it("imports upstream modules only, and edges import entries only", () => {
    const wrong = own.filter(({ file, target }) => !mayImport(file, target));
    expect(wrong.map(said)).toEqual([]);
  });

  it("imports each port in one module", () => {
    const ports = src.filter(({ target }) => target.startsWith("#"));
    expect(ports.length).toBeGreaterThanOrEqual(Object.keys(PORTS).length);
    expect(ports.filter(({ file, target }) => PORTS[target] !== moduleOf(file)).map(said)).toEqual([]);
  });

  it("imports the agents' protocol in src/mcp alone (CON-001)", () => {
    const protocol = src.filter(({ target }) => target.startsWith("@modelcontextprotocol"));
    expect(protocol.length).toBeGreaterThan(0);
    expect(protocol.filter(({ file }) => moduleOf(file) !== "mcp").map(said)).toEqual([]);
  });

  it("has no circle of files, types included", () => {
    expect(circles(own)).toEqual([]);
  });
});

describe("assembly/", () => {
  const imports = sources("assembly").flatMap(importsOf);
  const rank = (path: string) => {
    const name = path.split("/").length === 2 ? path.split("/")[1]!.replace(/\.ts$/, "") : moduleOf(path);
    return ENGINE_MODULES.indexOf(name);
  };

  it("imports upstream modules only", () => {
    expect(imports.length).toBeGreaterThan(100);
    const wrong = imports.filter(
      ({ file, target }) => file !== "assembly/index.ts" && (rank(file) < 0 || rank(target) > rank(file)),
    );
    expect(wrong.map(said)).toEqual([]);
  });
});

/** Circles among files, each named by its members. */
function circles(imports: readonly Import[]): string[] {
  const targets = new Map<string, string[]>();
  for (const { file, target } of imports) targets.set(file, [...(targets.get(file) ?? []), target]);
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]) => {
    const at = way.indexOf(file);
    if (at >= 0) found.push([...way.slice(at), file].join(" → "));
    if (at >= 0 || done.has(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...way, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return found;
}
