import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { z } from "zod";
import type { LibraryAccess } from "./access.ts";
import { input as getChunk, registerGetChunk } from "./get-chunk.ts";
import { input as index, registerIndex } from "./index-tool.ts";
import { input as libraryStatus, registerLibraryStatus } from "./library-status.ts";
import { input as recall, registerRecall } from "./recall-tool.ts";
import { registerReindex, input as reindex } from "./reindex.ts";
import { input as search } from "./search-input.ts";
import { registerSearchRifflux, input as searchRifflux } from "./search-rifflux.ts";
import { registerSearch } from "./search-tool.ts";
import type { Service } from "./service.ts";
import { registerVerify, input as verify } from "./verify.ts";

interface Tool<T> {
  readonly name: string;
  /** The schema of the arguments. */
  readonly input: z.ZodObject;
  readonly register: (server: McpServer, service: T) => void;
}

const SEARCH: Tool<LibraryAccess> = { name: "search", input: search, register: registerSearch };
const RECALL: Tool<LibraryAccess> = { name: "recall", input: recall, register: registerRecall };
const GET_CHUNK: Tool<LibraryAccess> = { name: "get_chunk", input: getChunk, register: registerGetChunk };
const STATUS: Tool<LibraryAccess> = {
  name: "library_status",
  input: libraryStatus,
  register: registerLibraryStatus,
};
const VERIFY: Tool<LibraryAccess> = { name: "verify", input: verify, register: registerVerify };
const SEARCH_RIFFLUX: Tool<LibraryAccess> = {
  name: "search_rifflux",
  input: searchRifflux,
  register: registerSearchRifflux,
};
const INDEX: Tool<Service> = { name: "index", input: index, register: registerIndex };
const REINDEX: Tool<Service> = { name: "reindex", input: reindex, register: registerReindex };

/** The tools that write nothing and name no files, for clients that may access none. */
export const READING_TOOLS: readonly Tool<LibraryAccess>[] = [
  SEARCH,
  RECALL,
  GET_CHUNK,
  STATUS,
  VERIFY,
  SEARCH_RIFFLUX,
];

/** All tools. The last two are those of the Rifflux contract: names, arguments, defaults and answers are the contract's. */
export const TOOLS: readonly Tool<Service>[] = [
  SEARCH,
  RECALL,
  INDEX,
  GET_CHUNK,
  STATUS,
  VERIFY,
  SEARCH_RIFFLUX,
  REINDEX,
];
