import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

// The server is a process of its own. It reads and writes below the folder that it was started in, and nowhere else.
const client = new Client({ name: "agent", version: "1.0.0" });
await client.connect(
  new StdioClientTransport({ command: "npx", args: ["selfsame", "mcp", "--db", "agent.db", "--writable"] }),
);

console.log(`${await use("index", { paths: ["notes"] })}\n`);

console.log(await promptFor("The disk of the main server is dead. What do I do first?"));

// What the agent learns, it can keep: a note in the library, and no file.
console.log(
  `\n${await use("add_note", { path: "incidents/disk.md", text: "# Disk\n\nReplaced at 14:10.\n" })}`,
);
await client.close();

/** What a language model is given, so that it answers from the notes and says from which. */
async function promptFor(question) {
  const passages = await use("search", { query: question, top_k: 3 });
  const task = "Answer from these notes, and cite them by number.";
  return [task, passages, `Question: ${question}`].join("\n\n");
}

/** Uses a tool of the server. What goes wrong comes back with a code and a way out. */
async function use(name, input) {
  const { content, isError } = await client.callTool({ name, arguments: input });
  if (isError) throw new Error(content[0].text);
  return content[0].text;
}
