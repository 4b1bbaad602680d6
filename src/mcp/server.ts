import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { registerDocuments } from "./documents.ts";
import type { Service } from "./service.ts";
import { TOOLS } from "./tools.ts";

const INSTRUCTIONS =
  "Search the user's local documents. `search` finds chunks by meaning and by words. `get_chunk` reads a chunk and its " +
  "neighbours. Resources are whole documents. `index` brings the library up to date with files. `library_status` says what " +
  "the library holds. The same question on the same documents gives the same answer on every device: a receipt proves it, " +
  "and `verify` checks a receipt. `search_rifflux` and `reindex` are the tools of the Rifflux contract.";

/** Creates the server for one client. Libraries and roots belong to the service, which all clients share. */
export function createServer(service: Service, onClose: () => void): McpServer {
  const server = new McpServer(
    { name: "selfsame", title: "Selfsame", version: service.version },
    { instructions: INSTRUCTIONS },
  );
  for (const { register } of TOOLS) register(server, service);
  const forget = registerDocuments(server, service);
  server.server.onclose = () => {
    forget();
    onClose();
  };
  return server;
}
