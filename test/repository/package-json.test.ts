/** package.json is fit for publishing, and promises no more than what is tested. */
import { expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { ENGINES } from "../engines/rows.ts";

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
