/** Laptop to browser: a pack that Node wrote is imported, pulled and written again in real browsers, with the same roots and receipts. */
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { open } from "#dist/index.js";
import { corpus } from "./corpus.ts";
import { BROWSERS, launch, openPage, quit, type Site, serve } from "./harness.ts";

const QUERY = "how are ties broken?";

let site: Site;
let pack: string;
let expected: { root: string; metadataRoot: string; receipt: string };
beforeAll(async () => {
  site = await serve();
  const library = await open(":memory:", { model: "tiny" });
  await library.add(corpus);
  const pieces: Uint8Array[] = [];
  for await (const piece of library.exportPack()) pieces.push(piece);
  pack = Buffer.concat(pieces).toString("base64");
  const { root, metadataRoot } = await library.stats();
  const { receipt } = await library.search(QUERY);
  expected = { root, metadataRoot, receipt: JSON.stringify(receipt) };
  await library.close();
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

  it("imports Node's pack, pulls from one library into another, and writes the same pack", async () => {
    const got = await page.evaluate(
      async (base64, query) => {
        const bytes = Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
        const options = { model: "tiny", modelUrl: "/model/" } as const;
        const imported = await selfsame.open(":memory:", options);
        const report = await imported.importPack(bytes);
        const pulled = await selfsame.open(":memory:", options);
        const pull = await pulled.pull(imported, { mode: "mirror" });
        const pieces: Uint8Array<ArrayBuffer>[] = [];
        for await (const piece of pulled.exportPack()) pieces.push(piece as Uint8Array<ArrayBuffer>);
        const written = new Uint8Array(await new Blob(pieces).arrayBuffer());
        const stateOf = async (library: typeof pulled) => {
          const { root, metadataRoot } = await library.stats();
          const { receipt } = await library.search(query);
          return { root, metadataRoot, receipt: JSON.stringify(receipt) };
        };
        const states = [await stateOf(imported), await stateOf(pulled)];
        await imported.close();
        await pulled.close();
        return {
          states,
          embedded: [report.embedded, pull.embedded],
          isSame: pull.isSame,
          isSamePack: written.length === bytes.length && written.every((byte, i) => byte === bytes[i]),
        };
      },
      pack,
      QUERY,
    );
    expect(got.states).toStrictEqual([expected, expected]);
    expect(got).toMatchObject({ embedded: [0, 0], isSame: true, isSamePack: true });
  });
});
