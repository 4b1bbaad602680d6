/** A command line that cannot work is refused at the start, with exit code 2 and a way out. */
import { expect, test } from "vitest";
import { scratchFolder } from "../store/scratch.ts";
import { connect, ServerProcess, writeFiles } from "./served.ts";

const folder = scratchFolder();

test.each([
  [["--rrf-k", "1000001"], "0 to 1000000"],
  [["--rrf-k", "99999999"], "0 to 1000000"],
  [["--rrf-k", "-1"], "whole number"],
  [["--rrf-k", "sixty"], "whole number"],
  [["--http", "abc"], "a whole number from 0 to 65535"],
  [["--http", "65536"], "a whole number from 0 to 65535"],
  [["--token", "x"], "add --http"],
  [["--http", "0", "--token", ""], "openssl rand"],
  [["--rot", "docs"], "--root"],
])("mcp %j", async (args, wayOut) => {
  const server = new ServerProcess(folder, args);
  expect(await server.ended).toBe(2);
  expect(server.errors).toContain(wayOut);
  expect(server.errors).toContain("selfsame mcp --help");
  expect(server.output).toBe("");
});

test("the largest constant of fusion works", async () => {
  writeFiles(folder, { "a.md": "Alpha.\n" });
  const server = await connect("stdio", folder, "--model", "tiny", "--rrf-k", "1000000");
  await server.call("reindex");
  expect((await server.call("search_rifflux", { query: "alpha" })).count).toBe(1);
  await server.close();
});
