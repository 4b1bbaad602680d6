import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { openTiny } from "../library/opened.ts";
import { scratchFolder } from "../store/scratch.ts";
import { DOCUMENTS } from "./documents.ts";

const file = join(scratchFolder(), "library.db");
beforeAll(async () => {
  const { library } = await openTiny(file);
  await library.add(DOCUMENTS);
  await library.close();
});

const search = (...args: string[]) =>
  spawnSync(
    process.execPath,
    [
      join(import.meta.dirname, "../../dist/cli.bundle/main.js"),
      "search",
      "--db",
      file,
      "--model",
      "tiny",
      ...args,
    ],
    { encoding: "utf8" },
  ).stdout;

test.each(["hybrid", "semantic", "lexical"])("where filters leave nothing, they are named: %s", (mode) => {
  const printed = search("quick fox", "--mode", mode, "--path", "none");
  expect(printed).toMatch(/^Nothing found that passes the filters\./);
  expect(printed).not.toContain("No chunk contains these words");
});

test("where no chunk has the words, that is said", () => {
  expect(search("nowhere", "--mode", "lexical")).toMatch(/^No chunk contains these words\./);
});

test.each(["", "  ", "-fox", '-fox -"quick brown"', "?!"])(
  "where nothing is asked for, that is said: %j",
  (query) => {
    for (const filter of [[], ["--path", "none"]])
      expect(search(...filter, "--", query)).toMatch(
        /^Enter at least one word to find: -word only excludes results\.\n/,
      );
  },
);
