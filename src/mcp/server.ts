import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { registerReindex } from "./reindex.ts";
import { registerSearchRifflux } from "./search-rifflux.ts";
import type { Service } from "./service.ts";

/** More members than any sound call has. */
const ARGUMENTS_MAX = 10_000;

const INSTRUCTIONS =
  "Search the user's local documents. `search` (or `search_rifflux`) finds chunks by meaning and by words; `get_chunk` reads " +
  "around one; resources are whole documents; `reindex` brings the library up to date with files; `library_status` says what " +
  "it holds. The same question on the same documents gives the same answer on every device: a receipt proves it, and " +
  "`verify` checks one.";

/** A server for one client. What it serves belongs to the service, which all clients share. */
export function createServer(service: Service): McpServer {
  const server = new McpServer(
    { name: "selfsame", title: "Selfsame", version: service.version },
    { instructions: INSTRUCTIONS, maxToolInputElements: ARGUMENTS_MAX },
  );
  registerSearchRifflux(server, service);
  registerReindex(server, service);
  return server;
}
