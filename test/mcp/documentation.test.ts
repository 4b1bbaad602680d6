/** docs/mcp.md, line by line: what a newcomer copies from it works, from a folder that has nothing to do with the documents. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, test } from "vitest";
import { toolsOf } from "#dist/mcp/tools.js";
import { scratchFolder } from "../store/scratch.ts";
import { type Answer, connected, connectHttp, ServerProcess, writeFiles } from "./served.ts";

const MAIN = join(import.meta.dirname, "../../dist/cli.bundle/main.js");
const text = readFileSync(join(import.meta.dirname, "../../docs/mcp.md"), "utf8");
const notes = scratchFolder();
const here = (line: string) => line.replaceAll("/home/me/notes", notes);
const configurations = [...text.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, json]) =>
  JSON.parse(here(json!)),
);
/** What is typed after a `$`. */
const commands = [...text.matchAll(/^ {4}\$ (.*)$/gm)].map(([, line]) => here(line!));

test("the command of an agent's configuration: index, then search", async () => {
  writeFiles(notes, { "ties.md": "# Ties\n\nEqual scores stand by path.\n" });
  const { command, args } = configurations[0].mcpServers.notes;
  expect(command).toBe("selfsame");
  const agent = await connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, ...args],
      cwd: "/",
      stderr: "ignore",
    }),
  );
  expect(await agent.call("index")).toMatchObject({ added: 1 });
  expect((await agent.call("library_status")).db_path).toBe(join(notes, ".selfsame/library.db"));
  expect((await agent.call("search", { query: "which comes first?" })).results[0].path).toBe("ties.md");
  await agent.close();
});

test("the tables have every tool in the order of the list, and every option of search", async () => {
  const listed = [...text.matchAll(/^\| `(\w+)` \|.* \| .* \|$/gm)].map(([, name]) => name);
  const tools = toolsOf({ writable: true, contracts: true });
  expect(listed).toStrictEqual(tools.map(({ name }) => name));
  const table = text.slice(text.indexOf("## Options of search"), text.indexOf("**The Rifflux contract**"));
  const options = [...table.matchAll(/^\| `([\w.]+)` \| .* \|$/gm)].map(([, name]) => name!);
  const { shape } = (tools[0]!.input.shape["options"] as Answer).unwrap();
  expect(options.filter((name) => !name.includes("."))).toStrictEqual(Object.keys(shape));
});

test("the line that is sent by hand", async () => {
  const line = commands.find((each) => each.startsWith("echo '{"))!;
  const [, message, args] = /^echo '(.*)' \| selfsame mcp (.*)$/.exec(line)!;
  const server = new ServerProcess("/", args!.split(" "));
  server.process.stdin!.end(`${message}\n`);
  expect(await server.ended).toBe(0);
  const answer: Answer = server.messages().find(({ id }) => id === 1);
  const [, shown] = /^ {4}(\{"result".*)$/m.exec(text)!;
  const told = JSON.stringify(answer).replace(/root [0-9a-f]+/, "root …");
  expect(told).toBe(shown!.replace("1 added", "0 added").replace("0 unchanged", "1 unchanged")); // it was indexed above
});

test("HTTP, with the token, as the agent's configuration says it", async () => {
  const args = commands
    .find((each) => each.startsWith("selfsame mcp"))!
    .split(" ")
    .slice(2);
  expect(args.pop()).toBe("7337"); // which may be taken on the machine that tests
  const { url, headers } = configurations[1].mcpServers.notes;
  const token = headers.Authorization.replace("Bearer ", "");
  const server = new ServerProcess("/", [...args, "0"], { SELFSAME_TOKEN: token });
  const port = await server.until(({ errors }) => /127\.0\.0\.1:(\d+)/.exec(errors)?.[1]);
  expect(server.errors.replace(port, "7337").trim()).toBe(/^ {4}(selfsame mcp: .*)$/m.exec(text)![1]);
  await expect(connectHttp(url.replace("7337", port))).rejects.toThrow();
  const agent = await connectHttp(url.replace("7337", port), headers);
  expect((await agent.call("library_status")).exists).toBe(true);
  await agent.close();
  await server.stop();
});
