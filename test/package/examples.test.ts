/** Each example runs as its README says, and prints what its README shows: digests are the same on every machine. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkPage } from "./check-page.ts";
import { type Placed, place } from "./placed.ts";

const EXAMPLES = join(import.meta.dirname, "../../examples");
const names = readdirSync(EXAMPLES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const readme = (name: string) => readFileSync(join(EXAMPLES, name, "README.md"), "utf8");

describe.each(names)("%s", (name) => {
  let example: Placed;
  beforeAll(() => {
    example = place(name);
  });
  afterAll(() => example.remove());

  it("says how it is run, in a few lines", () => {
    expect(readme(name)).toMatch(/^ {4}npm install --ignore-scripts && npm start$/m);
    expect(readme(name).split("\n").length).toBeLessThan(40);
    const { dependencies } = JSON.parse(readFileSync(join(EXAMPLES, name, "package.json"), "utf8"));
    expect(dependencies.selfsame).toBe("file:../..");
  });

  it.skipIf(name === "vite-page")("prints what its README shows", async () => {
    const [, shown] = /```text\n([\s\S]+?)```/.exec(readme(name))!;
    expect(await example.npmRun("start")).toBe(shown);
  });

  it.runIf(name === "vite-page")(
    "builds: engines, SQLite, Workers and model, and nothing of Node",
    async () => {
      await example.npmRun("build");
      checkPage(join(example.folder, "dist/assets"));
      expect(existsSync(join(example.folder, "dist/model/model.fp16.safetensors"))).toBe(true);
    },
  );
});
