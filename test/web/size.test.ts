/** What a browser downloads, besides the model, stays small. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

it("is at most 800 KB gzipped", () => {
  const { status, stdout } = spawnSync(process.execPath, ["scripts/size.mjs"], {
    cwd: join(import.meta.dirname, "../.."),
    encoding: "utf8",
  });
  expect(stdout).toMatch(/\d KB gzipped, at most 800/);
  expect(stdout).toContain("sqlite.wasm");
  expect(status).toBe(0);
});
