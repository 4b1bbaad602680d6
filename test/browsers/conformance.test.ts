/** The whole of the published vectors in real browsers: every case passes, and each suite's digest is Node's. */
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConformanceReport, runConformance } from "#dist/conformance/index.js";
import { BROWSERS, launch, openPage, quit, type Site, serve } from "./harness.ts";

type Conformance = typeof import("#dist/conformance/index.js");

const digests = ({ suites }: ConformanceReport) => suites.map(({ suite, digest }) => [suite, digest]);

let site: Site;
let inNode: ConformanceReport;
beforeAll(async () => {
  site = await serve();
  inNode = await runConformance();
});
afterAll(() => site.stop());

describe.each(BROWSERS)("%s", (name) => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launch(name);
    page = await openPage(browser, site);
  });
  afterAll(() => quit(browser));

  it("passes every case, with Node's digests", async () => {
    const report = await page.evaluate(async () => {
      const { runConformance: run } = (await load("/selfsame/conformance.js")) as Conformance;
      return run({
        vectorsUrl: "/vectors/",
        placeOf: (model) => (model === "all-MiniLM-L6-v2" ? { modelUrl: "/model/" } : {}),
      });
    });
    expect(report.suites.filter(({ firstMismatch }) => firstMismatch !== null)).toEqual([]);
    expect(digests(report)).toEqual(digests(inNode));
    expect([report.isSame, report.digest, report.canon]).toEqual([true, inNode.digest, inNode.canon]);
  });
});
