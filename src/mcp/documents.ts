import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  ErrorCode,
  ListResourcesRequestSchema,
  type ListResourcesResult,
  McpError,
  type ReadResourceResult,
} from "@modelcontextprotocol/sdk/types.js";
import { type DocumentInfo, SelfsameError } from "../index.ts";
import type { Service } from "./service.ts";

const BASE = "selfsame://documents/";
const PAGE = 100;
/** Of the protocol, for a resource that is not there. */
const RESOURCE_NOT_FOUND = -32002;

/** The address of a document of the server's own library. */
export function documentUri(path: string): string {
  return BASE + path.split("/").map(encodeURIComponent).join("/");
}

/**
 * Documents of the server's own library as resources: a list in pages, and each by its path.
 *
 * @returns what ends the messages about changes of the list
 */
export function registerDocuments(server: McpServer, service: Service): () => void {
  const template = new ResourceTemplate(`${BASE}{+path}`, { list: undefined });
  server.registerResource(
    "document",
    template,
    {
      title: "Document",
      description: "A document of the library, by its path, with all of its canonical text",
    },
    (uri) => asProtocol(() => readDocument(service, uri)),
  );
  // The high-level server lists everything at once; a library can have a hundred thousand documents.
  server.server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    asProtocol(() => listDocuments(service, params?.cursor)),
  );
  return service.onDocumentsChanged(() => server.sendResourceListChanged());
}

async function listDocuments(service: Service, cursor: string | undefined): Promise<ListResourcesResult> {
  const after = cursor === undefined ? "" : pathOfCursor(cursor);
  const path = await service.libraryPath(null);
  const found = await service.libraries
    .use(path, (library) => library.documents({ after, limit: PAGE + 1 }))
    .catch((error) => {
      // No library yet: no documents.
      if (error instanceof SelfsameError && error.code === "FILE_MISSING") return [];
      throw error;
    });
  const page = found.slice(0, PAGE);
  return {
    resources: page.map(resourceOf),
    ...(found.length > PAGE ? { nextCursor: cursorOf(page.at(-1)!.path) } : {}),
  };
}

function resourceOf({
  path,
  bytes,
  mime,
  modifiedAt,
}: DocumentInfo): ListResourcesResult["resources"][number] {
  return {
    uri: documentUri(path),
    name: path,
    size: bytes,
    mimeType: mime ?? "text/plain",
    ...(modifiedAt === null ? {} : { annotations: { lastModified: new Date(modifiedAt).toISOString() } }),
  };
}

async function readDocument(service: Service, uri: URL): Promise<ReadResourceResult> {
  const path = pathOfUri(uri.href);
  const libraryPath = await service.libraryPath(null);
  const document =
    path === null ? null : await service.libraries.use(libraryPath, (library) => library.document(path));
  if (document === null) throw new McpError(RESOURCE_NOT_FOUND, "Resource not found", { uri: uri.href });
  return { contents: [{ uri: uri.href, mimeType: document.mime ?? "text/plain", text: document.text }] };
}

function pathOfUri(uri: string): string | null {
  try {
    return uri.slice(BASE.length).split("/").map(decodeURIComponent).join("/");
  } catch {
    return null; // no UTF-8 behind the percent signs
  }
}

function cursorOf(path: string): string {
  return Buffer.from(path).toString("base64url");
}

function pathOfCursor(cursor: string): string {
  const path = Buffer.from(cursor, "base64url").toString();
  if (path !== "" && cursorOf(path) === cursor) return path;
  throw new McpError(ErrorCode.InvalidParams, "Invalid cursor: list again from the beginning");
}

/** Resources have no results with errors in them: what the library refuses is an error of the protocol. */
async function asProtocol<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SelfsameError)) throw error;
    const { code, message, hint } = error;
    throw new McpError(ErrorCode.InvalidParams, `${code}: ${message}`, { code, hint });
  }
}
