/** docs/http.md, line by line: what a newcomer pastes works, and the server says what the page says. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { OPERATIONS } from "#dist/serve/operations.js";
import { scratchFolder } from "../store/scratch.ts";
import type { Answer } from "./running.ts";

const MAIN = join(import.meta.dirname, "../../dist/cli.bundle/main.js");
const text = readFileSync(join(import.meta.dirname, "../../docs/http.md"), "utf8");
/** What is pasted, block by block. */
const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block!);

async function shell(script: string): Promise<string> {
  const child = spawn("sh", ["-e", "-c", script]);
  let output = "";
  child.stdout.on("data", (data) => {
    output += data;
  });
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
  return output;
}

test("the transcript", async () => {
  const [, args] = /^ {4}\$ selfsame (serve .*)$/m.exec(text)!;
  const child = spawn(process.execPath, [MAIN, ...args!.split(" "), "--port", "0"], { cwd: scratchFolder() });
  let errors = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (data) => {
      errors += data;
      const found = /listening on (\S+)\n/.exec(errors)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.on("close", () => reject(new Error(errors)));
  });
  // The port may be taken on the machine that tests.
  expect(text).toContain(`    ${errors.trim().replace(url, "http://127.0.0.1:7338")}\n`);
  const run = (block: string) => shell(block.replaceAll("http://127.0.0.1:7338", url));
  const shown = [...text.matchAll(/^ {4}(\{.*)$/gm)].map(([, line]) => line!);
  const added = await run(blocks[0]!);
  const keys = [...shown[0]!.matchAll(/"(\w+)":/g)].map(([, key]) => key);
  expect(Object.keys(JSON.parse(added))).toStrictEqual(keys);
  const answer: Answer = JSON.parse(await run(blocks[1]!));
  expect(answer.results.map(({ doc_id }: Answer) => doc_id)).toStrictEqual(["ties.md"]);
  expect(shown[1]!.startsWith(`{"results":[{"doc_id":"ties.md","chunk_id":"ties.md#0"`)).toBe(true);
  const [filtered, root, health, removed] = (await run(blocks[2]!))
    .split(/(?<=\})(?=\{)/)
    .map((each) => JSON.parse(each) as Answer);
  expect(filtered.results.map(({ doc_id }: Answer) => doc_id)).toStrictEqual(["wurzeln.md"]);
  expect(root).toMatchObject({ documents: 3, root: answer.receipt.root });
  expect(health).toMatchObject({ status: "ok", engine: { probe: "passed" } });
  expect(removed).toMatchObject({ removed: 1, missing: [] });
  child.kill("SIGINT");
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
});

test("every endpoint is listed", () => {
  const listed = [...text.matchAll(/`(GET|POST|DELETE) (\/[^`]*)`/g)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  for (const { method, path } of OPERATIONS) expect(listed).toContain(`${method.toUpperCase()} ${path}`);
});
