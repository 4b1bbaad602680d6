/** What `selfsame web --export` writes is the whole page: any server of files can serve it. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { launch, quit, serve } from "./harness.ts";
import { ask, dropFile, PLACE, textOf, visit, waitForText } from "./page-driver.ts";

const cli = join(import.meta.dirname, "../../dist/cli.bundle/main.js");

it("an exported page indexes and finds, with nothing asked for that is not there", async () => {
  const folder = mkdtempSync(join(tmpdir(), "selfsame-export-"));
  expect(spawnSync(process.execPath, [cli, "web", "--export", folder]).status).toBe(0);
  const site = await serve({ [PLACE]: folder });
  const browser = await launch("chromium");
  try {
    const page = await visit(browser, site);
    await dropFile(page, "quokka.md", "The quokka lives on Rottnest Island.");
    await waitForText(page, ".prints-card .counts", "1 document, 1 chunk");
    await ask(page, "where do small kangaroos live?");
    expect(await textOf(page, ".result .path")).toBe("quokka.md#0");
    const missing = site.requests.filter((path) => !existsSync(join(folder, path.slice(PLACE.length))));
    expect(missing).toEqual([]);
    expect(site.requests).toContain(`${PLACE}selfsame/model/model.fp16.safetensors`);
  } finally {
    await quit(browser);
    await site.stop();
    rmSync(folder, { recursive: true });
  }
});
