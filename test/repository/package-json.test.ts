/** package.json is fit for publishing, and promises no more than what is tested. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { ENGINES } from "../engines/rows.ts";
import { scratchFolder } from "../store/scratch.ts";

it("says what it is and where to go", () => {
  const { keywords, author, homepage, bugs, repository, license } = packageJson;
  expect(keywords.length).toBeGreaterThan(5);
  expect([author, license]).toEqual(["Selfsame contributors", "MIT"]);
  for (const address of [homepage, bugs.url]) expect(address).toMatch(/^https:\/\//);
  expect(repository.url).toMatch(/^git\+https:\/\/.*\.git$/);
});

it("has a floor of Node that the engine matrix runs", () => {
  const floor = Number(/^>=(\d+)$/.exec(packageJson.engines.node)![1]);
  const versions = ENGINES.map(({ name }) => Number(/^Node (\d+)/.exec(name)?.[1])).filter(
    (each) => each > 0,
  );
  expect(Math.min(...versions)).toBe(floor);
});

it("pins every dependency", () => {
  const { dependencies, devDependencies, optionalDependencies } = packageJson;
  const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

it("has nothing that npm corrects when it publishes: it removes commands whose paths it does not like", () => {
  const folder = scratchFolder();
  const file = join(folder, "package.json");
  const text = `${JSON.stringify(packageJson, null, 2)}\n`;
  writeFileSync(file, text);
  for (const path of Object.values(packageJson.bin)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), "");
  }
  const { status } = spawnSync("npm", ["pkg", "fix"], { cwd: folder });
  expect([status, readFileSync(file, "utf8")]).toEqual([0, text]);
});
