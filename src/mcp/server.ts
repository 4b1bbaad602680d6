import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { LibraryAccess } from "./access.ts";
import { registerDocuments } from "./documents.ts";
import type { Service } from "./service.ts";
import { READING_TOOLS, TOOLS } from "./tools.ts";

const INSTRUCTIONS =
  "Search the user's local documents. `search` finds chunks by meaning and by words. `get_chunk` reads a chunk and its " +
  "neighbours. Resources are whole documents. `index` brings the library up to date with files. `library_status` says what " +
  "the library holds. The same question on the same documents gives the same answer on every device: a receipt proves it, " +
  "and `verify` checks a receipt. `search_rifflux` and `reindex` are the tools of the Rifflux contract.";

const READING_INSTRUCTIONS =
  "Search the documents of a namespace. `search` finds chunks by meaning and by words. `get_chunk` reads a chunk and its " +
  "neighbours. Resources are whole documents. `library_status` says what the namespace holds. The same question on the same " +
  "documents gives the same answer on every device: a receipt proves it, and `verify` checks a receipt. `search_rifflux` is the " +
  "tool of the Rifflux contract. Documents are added through the HTTP API.";

/** Creates the server for one client. Libraries and roots belong to the service, which all clients share. */
export function createServer(service: Service, onClose: () => void): McpServer {
  const server = newServer(service, INSTRUCTIONS, onClose);
  for (const { register } of TOOLS) register(server, service);
  return server;
}

/** Creates a server for one client that may only read. */
export function createReadingServer(access: LibraryAccess, onClose: () => void): McpServer {
  const server = newServer(access, READING_INSTRUCTIONS, onClose);
  for (const { register } of READING_TOOLS) register(server, access);
  return server;
}

function newServer(access: LibraryAccess, instructions: string, onClose: () => void): McpServer {
  const server = new McpServer(
    { name: "selfsame", title: "Selfsame", version: access.version },
    { instructions },
  );
  const forget = registerDocuments(server, access);
  server.server.onclose = () => {
    forget();
    onClose();
  };
  return server;
}
