import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { LibraryAccess } from "./access.ts";
import type { Inputs } from "./check-arguments.ts";
import { registerDocuments } from "./documents.ts";
import type { Offer } from "./offer.ts";
import type { Service } from "./service.ts";
import { registerTools, type Tool } from "./tool.ts";
import { readingTools, toolsOf } from "./tools.ts";

/** The server of one client, and what its tools take. */
export interface ClientServer {
  readonly server: McpServer;
  readonly inputs: Inputs;
}

const FINDING =
  "`search` finds passages by meaning and by words; `get_document` reads around a result (path:line); `list_documents` lists paths. ";
const PROVING =
  "The same question on the same documents gives the same answer on every device: `verify` checks a receipt.";
const INSTRUCTIONS = `Search the user's local documents. ${FINDING}\`index\` brings the library up to date with files. ${PROVING}`;
const WRITING = " `add_note` keeps a text of yours, `remove` removes documents.";
const READING_INSTRUCTIONS = `Search the documents of a namespace. ${FINDING}${PROVING} Documents are added through the HTTP API.`;

/** Creates the server for one client. Libraries and roots belong to the service, which all clients share. */
export function createServer(service: Service, onClose: () => void): ClientServer {
  const { offer } = service;
  const instructions = offer.writable === true ? INSTRUCTIONS + WRITING : INSTRUCTIONS;
  return newServer(service, toolsOf(offer), instructions, onClose);
}

/** Creates a server for one client that may only read. */
export function createReadingServer(
  access: LibraryAccess,
  offer: Pick<Offer, "contracts">,
  onClose: () => void,
): ClientServer {
  return newServer(access, readingTools(offer), READING_INSTRUCTIONS, onClose);
}

function newServer<T extends LibraryAccess>(
  access: T,
  tools: readonly Tool<T>[],
  instructions: string,
  onClose: () => void,
): ClientServer {
  const server = new McpServer(
    { name: "selfsame", title: "Selfsame", version: access.version },
    { instructions },
  );
  registerTools(server, access, tools);
  const forget = registerDocuments(server, access);
  server.server.onclose = () => {
    forget();
    onClose();
  };
  return { server, inputs: new Map(tools.map(({ name, input }) => [name, input])) };
}
