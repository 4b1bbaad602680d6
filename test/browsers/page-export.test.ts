/** What `selfsame web --export` writes is the whole page: any server of files can serve it. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { launch, quit, serve } from "./harness.ts";
import { ask, dropFile, PLACE, textOf, visit, waitForText } from "./page-driver.ts";

const cli = join(import.meta.dirname, "../../dist/cli/main.js");

it("an exported page indexes and finds, with nothing asked for that is not there", async () => {
  const folder = mkdtempSync(join(tmpdir(), "selfsame-export-"));
  spawnSync(process.execPath, [cli, "web", "--export", folder], { stdio: "inherit" });
  const site = await serve({ [PLACE]: folder });
  const browser = await launch("chromium");
  try {
    const missing: string[] = [];
    const page = await visit(browser, site);
    page.on("response", (response) => {
      if (response.status() >= 400) missing.push(response.url());
    });
    await dropFile(page, "quokka.md", "The quokka lives on Rottnest Island.");
    await waitForText(page, ".prints-card .counts", "1 document, 1 chunk");
    await ask(page, "where do small kangaroos live?");
    expect(await textOf(page, ".result .path")).toBe("quokka.md#0");
    expect(missing).toEqual([]);
    expect(site.requests).toContain(`${PLACE}selfsame/model/model.fp16.safetensors`);
  } finally {
    await quit(browser);
    await site.stop();
    rmSync(folder, { recursive: true });
  }
});
