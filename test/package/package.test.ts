/** The package as its users get it: packed, installed in an empty folder, used from the shell, from Node and from TypeScript. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkPage } from "./check-page.ts";
import { type Installed, packAndInstall, ROOT } from "./installed.ts";

let installed: Installed;
beforeAll(() => {
  installed = packAndInstall();
});
afterAll(() => installed?.remove());

/** The oldest TypeScript that the README names. A second one in package.json would take the place of the first one's command. */
const TYPESCRIPT_FLOOR = "5.7.2";
function floor(): string {
  const folder = join(installed.folder, "node_modules/typescript");
  if (!existsSync(folder))
    installed.run("npm", "install", "--ignore-scripts", "--prefer-offline", `typescript@${TYPESCRIPT_FLOOR}`);
  return folder;
}
const bin = (name: string) => join(ROOT, "node_modules/.bin", name);
const write = (name: string, ...lines: string[]) => {
  const file = join(installed.folder, name);
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
};

const PROGRAM = [
  'import { open } from "selfsame";',
  'const library = await open(":memory:", { model: "tiny" });',
  'await library.add([{ path: "ties.md", text: "# Ties\\n\\nEqual scores stand by path." }]);',
  'const { results, receipt } = await library.search("how are ties broken?");',
  "const { isSame } = await library.verifyReceipt(receipt);",
  "console.log(JSON.stringify([results[0]?.path, isSame]));",
  "await library.close();",
];
const PRINTED = '["ties.md",true]\n';

describe("what is in it", () => {
  const WANTED = [
    /^(package|selfsame\.schema)\.json$/,
    /^(README|CHANGELOG|SPEC)\.md$/,
    /^(LICENSE|NOTICE)$/,
    /^docs\/[a-z-]+\.md$/,
    /^docs\/deploy\/(Dockerfile|README\.md|selfsame\.service)$/,
    /^examples\/(README\.md|[a-z-]+\/([a-z.]+\.(html|js|md)|README\.md|package\.json|notes\/[a-z]+\.md))$/,
    /^build\/(engine\.(simd|soft|scalar)|sqlite)\.wasm$/,
    /^dist\/(?!(browser|cli)\.bundle\/|cli\/|web\/).+\.(js|d\.ts)$/,
    /^dist\/cli\.bundle\/(main|[\w.-]+-[A-Z0-9]+)\.js$/,
    /^dist\/browser\.bundle\/(([a-z]+-worker|chunk-[A-Z0-9]+|index|conformance)\.js|[a-z.]+\.wasm)$/,
    /^dist\/browser\.bundle\/models\/([^/]+\.json|tiny\/(model\.safetensors|tokenizer\.json)|tiny-cross\/model\.safetensors)$/,
    // The library and the vectors are in the package already: `selfsame web` serves them from there.
    /^dist\/web\/(assets\/[\w-]+\.(js|css)|index\.html|library\.json|service-worker\.js|theme-first\.js|icon\.svg|manifest\.webmanifest)$/,
    /^models\/[^/]+\.json$/,
    /^models\/(tiny\/(model\.safetensors|tokenizer\.json)|tiny-cross\/model\.safetensors)$/,
    /^test-vectors\/([^/]+\.jsonl?|README\.md|(corpus|family)\/.+)$/,
  ];

  it("is what is needed, and nothing else", () => {
    const paths = installed.files.map(({ path }) => path);
    expect(paths.filter((path) => !WANTED.some((pattern) => pattern.test(path)))).toEqual([]);
    for (const pattern of WANTED)
      expect(
        paths.some((path) => pattern.test(path)),
        String(pattern),
      ).toBe(true);
  });

  it("is all that its documents link to, but for pictures", () => {
    const paths = installed.files.map(({ path }) => path);
    const documents = paths.filter((path) => /^(README|(docs|examples)\/.+)\.md$/.test(path));
    expect(documents).toEqual(
      expect.arrayContaining(["README.md", "docs/cli.md", "docs/mcp.md", "examples/README.md"]),
    );
    for (const document of documents) {
      const text = readFileSync(join(installed.folder, "node_modules/selfsame", document), "utf8");
      for (const [, link = ""] of text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)) {
        if (/^https?:/.test(link)) continue;
        const target = join(installed.folder, "node_modules/selfsame", dirname(document), link);
        expect(existsSync(target), `${link} of ${document}`).toBe(true);
      }
    }
  });

  it("was built from a source that is still there", () => {
    const made = installed.files
      .map(({ path }) => path)
      .filter((path) => /^dist\/(?!(browser|cli)\.bundle\/|web\/).+\.js$/.test(path));
    const sources = made.map((path) => path.replace(/^dist\/(.+)\.js$/, "src/$1.ts"));
    expect(sources.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("points at no source map, since sources are not in it", () => {
    for (const { path } of installed.files.filter((file) => file.path.endsWith(".js"))) {
      const text = readFileSync(join(installed.folder, "node_modules/selfsame", path), "utf8");
      expect(text.includes("sourceMappingURL="), path).toBe(false);
    }
  });

  it("is small: the model comes from a package of its own", () => {
    // A third of it is the reader of PDF for browsers, which load it on demand; the bundled command line is 0.25 MB,
    // test vectors are 0.8 MB.
    expect(installed.packedBytes).toBeLessThan(5.2e6);
  });
});

describe("how it is described", () => {
  it("publint has nothing to say", async () => {
    const { messages } = await publint({
      pkgDir: join(installed.folder, "node_modules/selfsame"),
      pack: false,
      strict: true,
    });
    expect(messages).toEqual([]);
  });

  it("its types are right for whoever resolves modules as Node or a bundler does", () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const typed = Object.keys(exports).filter((name) => typeof exports[name] === "object");
    expect(typed).toEqual([".", "./browser", "./cluster", "./conformance", "./engine", "./eval", "./serve"]);
    // It exits with 1, which throws, if anything is wrong.
    installed.run(bin("attw"), installed.tarball, "--profile", "esm-only", "--entrypoints", ...typed);
  });

  it("every name that package.json exports is there", () => {
    const names = [
      "engine.simd.wasm",
      "engine.soft.wasm",
      "engine.scalar.wasm",
      "sqlite.wasm",
      "models/all-MiniLM-L6-v2.json",
      "models/tiny.json",
      "models/tiny/model.safetensors",
      "test-vectors/arith.json",
      "test-vectors/corpus/merkle-trees.md",
      "SPEC.md",
      "selfsame.schema.json",
      "package.json",
    ];
    const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const untried = Object.keys(exports).filter(
      (key) =>
        typeof exports[key] === "string" &&
        !names.some((name) => `./${name}`.startsWith(key.replace(/\*$/, ""))),
    );
    expect(untried).toEqual([]);
    const file = write(
      "resolve.mjs",
      'import { existsSync } from "node:fs";',
      `const names = ${JSON.stringify(names)};`,
      'const missing = names.filter((name) => !existsSync(new URL(import.meta.resolve("selfsame/" + name))));',
      "console.log(JSON.stringify(missing));",
    );
    expect(JSON.parse(installed.run(process.execPath, file))).toEqual([]);
  });
});

describe("in the shell", () => {
  it("selfsame --version", () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(installed.run("npx", "--no-install", "selfsame", "--version")).toContain(version);
  });

  it("selfsame embed: the model is found, and gives the digest of docs/cli.md", () => {
    const shown = readFileSync(join(ROOT, "docs/cli.md"), "utf8");
    const [, digest] = /\$ selfsame embed[\s\S]*?digest {2}([0-9a-f]{64})/.exec(shown)!;
    expect(installed.run("node_modules/.bin/selfsame", "embed", "The quick brown fox")).toContain(digest);
  });

  it("selfsame index and search", () => {
    mkdirSync(join(installed.folder, "notes"), { recursive: true });
    write("notes/ties.md", "# Ties", "", "Equal scores stand by path.");
    write("notes/trees.md", "# Trees", "", "A Merkle tree has one root.");
    const options = ["--db", "shell.db", "--model", "tiny", "--json"];
    const selfsame = (...args: string[]) =>
      JSON.parse(installed.run("node_modules/.bin/selfsame", ...args, ...options));
    expect(selfsame("index", "notes")).toMatchObject({ added: 2 });
    expect(selfsame("search", "ties").results[0]).toMatchObject({ path: "notes/ties.md" });
  });
});

it("selfsame web serves the page with all that it asks for", async () => {
  const command = join(installed.folder, "node_modules/.bin/selfsame");
  const served = spawn(command, ["web", "--port", "0", "--json"], { cwd: installed.folder });
  try {
    const [printed] = await once(served.stdout, "data");
    const { url } = JSON.parse(String(printed));
    const html = await (await fetch(url)).text();
    const files = [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, file]) => file!);
    expect(files.length).toBeGreaterThan(2);
    const library = ["selfsame/index.js", "selfsame/library-worker.js", "selfsame/engine.simd.wasm"];
    const data = ["selfsame/model/tokenizer.json", "selfsame/models/tiny.json", "test-vectors/arith.json"];
    for (const file of [...files, ...library, ...data])
      expect((await fetch(new URL(file, url), { method: "HEAD" })).status, file).toBe(200);
  } finally {
    served.kill();
  }
});

describe("in code", () => {
  /** The one program of a document that imports the package, and what it prints. */
  const runShown = (document: string) => {
    const text = readFileSync(join(ROOT, document), "utf8");
    const programs = [...text.matchAll(/```ts\n(import .* from "selfsame(?:\/engine)?";\n[\s\S]+?)```/g)];
    expect(programs).toHaveLength(1);
    const program = programs[0]![1]!;
    return { program, printed: installed.run(process.execPath, write("shown.mjs", program)) };
  };

  it("the README's program runs as it stands there", () => {
    const { program, printed } = runShown("README.md");
    const shown = [...program.matchAll(/\/\/ ([0-9a-f]{16})…/g)].map(([, digits]) => digits!);
    expect(shown).toHaveLength(2);
    for (const digits of shown) expect(printed).toContain(`\n${digits}`);
  });

  it("the program of docs/library.md runs as it stands there", () => {
    const { program, printed } = runShown("docs/library.md");
    expect(printed).toContain(`similarity: ${/similarity: ([0-9.]+)…/.exec(program)![1]}`);
  });

  it("from an ES module", () => {
    expect(installed.run(process.execPath, write("program.mjs", ...PROGRAM))).toBe(PRINTED);
  });

  // Types of the package itself are checked, too (skipLibCheck is off), and without those of Node.
  it.each(["node16", "bundler"])("from TypeScript, with moduleResolution %s", (moduleResolution) => {
    write(
      "typed.ts",
      'import type { Receipt, SearchResult } from "selfsame";',
      'import type { BrowserLibrary } from "selfsame/browser";',
      'import type { ConformanceReport } from "selfsame/conformance";',
      ...PROGRAM,
      "export const kept: readonly [SearchResult | undefined, Receipt] = [results[0], receipt];",
      'export type Search = BrowserLibrary["search"];',
      'export type Digest = ConformanceReport["digest"];',
    );
    const compilerOptions = {
      module: moduleResolution === "node16" ? "node16" : "esnext",
      moduleResolution,
      target: "es2022",
      lib: ["es2022", "dom"],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      outDir: moduleResolution,
    };
    write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["typed.ts"] }));
    expect(installed.run(bin("tsc"), "-p", ".")).toBe("");
    expect(installed.run(join(floor(), "bin/tsc"), "-p", ".")).toBe("");
    expect(installed.run(process.execPath, join(moduleResolution, "typed.js"))).toBe(PRINTED);
  });
});

describe("in a page", () => {
  // npm run test:browsers runs four bundlers.
  it.runIf(import.meta.env.MODE === "long")(
    "a bundler finds the library with its Workers and wasm, and every file by its name",
    async () => {
      mkdirSync(join(installed.folder, "page"));
      write("page/index.html", '<!doctype html><script type="module" src="./main.js"></script>');
      write(
        "page/main.js",
        'import { open } from "selfsame/browser";',
        'import { runConformance } from "selfsame/conformance";',
        'import simd from "selfsame/engine.simd.wasm?url";',
        'import soft from "selfsame/engine.soft.wasm?url";',
        'import scalar from "selfsame/engine.scalar.wasm?url";',
        'import sqlite from "selfsame/sqlite.wasm?url";',
        'import manifest from "selfsame/models/all-MiniLM-L6-v2.json";',
        'import weights from "selfsame/models/tiny/model.safetensors?url";',
        'import vectors from "selfsame/test-vectors/arith.json?url";',
        'import spec from "selfsame/SPEC.md?raw";',
        "console.log(open, runConformance, simd, soft, scalar, sqlite, manifest, weights, vectors, spec);",
      );
      write("page/vite.config.js", 'export default { worker: { format: "es" } };'); // as docs/library.md says
      installed.run(bin("vite"), "build", "page");
      const assets = join(installed.folder, "page/dist/assets");
      checkPage(assets);
      expect(readdirSync(assets).some((file) => /^model-.+\.safetensors$/.test(file))).toBe(true);
      expect(readdirSync(assets).some((file) => /^arith-.+\.json$/.test(file))).toBe(true);
    },
  );
});
