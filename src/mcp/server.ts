import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { registerDocuments } from "./documents.ts";
import { registerGetChunk } from "./get-chunk.ts";
import { registerLibraryStatus } from "./library-status.ts";
import { registerReindex } from "./reindex.ts";
import { registerSearch } from "./search.ts";
import { registerSearchRifflux } from "./search-rifflux.ts";
import type { Service } from "./service.ts";
import { registerVerify } from "./verify.ts";

const INSTRUCTIONS =
  "Search the user's local documents. `search` (or `search_rifflux`) finds chunks by meaning and by words; `get_chunk` reads " +
  "around one; resources are whole documents; `reindex` brings the library up to date with files; `library_status` says what " +
  "it holds. The same question on the same documents gives the same answer on every device: a receipt proves it, and " +
  "`verify` checks one.";

/** A server for one client, with what is to be done when it ends. What it serves belongs to the service, which clients share. */
export function createServer(service: Service, onClose: () => void): McpServer {
  const server = new McpServer(
    { name: "selfsame", title: "Selfsame", version: service.version },
    { instructions: INSTRUCTIONS },
  );
  registerSearchRifflux(server, service);
  registerReindex(server, service);
  registerSearch(server, service);
  registerGetChunk(server, service);
  registerLibraryStatus(server, service);
  registerVerify(server, service);
  const forget = registerDocuments(server, service);
  server.server.onclose = () => {
    forget();
    onClose();
  };
  return server;
}
