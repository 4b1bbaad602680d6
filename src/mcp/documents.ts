import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  ErrorCode,
  ListResourcesRequestSchema,
  type ListResourcesResult,
  McpError,
  type ReadResourceResult,
} from "@modelcontextprotocol/sdk/types.js";
import { type DocumentInfo, SelfsameError } from "../index.ts";
import type { LibraryAccess } from "./access.ts";

const BASE = "selfsame://documents/";
const PAGE = 100;
/** The protocol's dates have years of four digits. A document may have a date outside of them; it is then left out. */
const FIRST_DATE_MS = Date.parse("0000-01-01T00:00:00.000Z");
const LAST_DATE_MS = Date.parse("9999-12-31T23:59:59.999Z");
/** The protocol's code for a missing resource. */
const RESOURCE_NOT_FOUND = -32002;

/** Returns the address of a document in the server's own library. */
export function documentUri(path: string): string {
  return BASE + path.split("/").map(encodeURIComponent).join("/");
}

/**
 * Offers the documents of the server's own library as resources: listed in pages, and each by its path.
 *
 * @returns a function that stops the notifications about changes of the list
 */
export function registerDocuments(server: McpServer, service: LibraryAccess): () => void {
  const template = new ResourceTemplate(`${BASE}{+path}`, { list: undefined });
  server.registerResource(
    "document",
    template,
    {
      title: "Document",
      description: "A document of the library, by its path: its whole canonical text",
    },
    (uri) => asProtocol(() => readDocument(service, uri)),
  );
  // The high-level server lists everything at once; a library can have a hundred thousand documents.
  server.server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    asProtocol(() => listDocuments(service, params?.cursor)),
  );
  return service.onDocumentsChanged(() => server.sendResourceListChanged());
}

async function listDocuments(
  service: LibraryAccess,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
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
    ...(modifiedAt !== null && modifiedAt >= FIRST_DATE_MS && modifiedAt <= LAST_DATE_MS
      ? { annotations: { lastModified: new Date(modifiedAt).toISOString() } }
      : {}),
  };
}

async function readDocument(service: LibraryAccess, uri: URL): Promise<ReadResourceResult> {
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
    return null; // the escapes are not UTF-8
  }
}

function cursorOf(path: string): string {
  return Buffer.from(path).toString("base64url");
}

function pathOfCursor(cursor: string): string {
  const path = Buffer.from(cursor, "base64url").toString();
  if (path !== "" && cursorOf(path) === cursor) return path;
  throw new McpError(ErrorCode.InvalidParams, "Invalid cursor: list again from the start");
}

/** Reports errors of the library as errors of the protocol: unlike tools, resources have no results for them. */
async function asProtocol<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SelfsameError)) throw error;
    const { code, message, hint } = error;
    throw new McpError(ErrorCode.InvalidParams, `${code}: ${message}`, { code, hint });
  }
}
