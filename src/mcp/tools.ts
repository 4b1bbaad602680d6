import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { z } from "zod";
import { input as getChunk, registerGetChunk } from "./get-chunk.ts";
import { input as index, registerIndex } from "./index-tool.ts";
import { input as libraryStatus, registerLibraryStatus } from "./library-status.ts";
import { registerReindex, input as reindex } from "./reindex.ts";
import { input as search } from "./search-input.ts";
import { registerSearchRifflux, input as searchRifflux } from "./search-rifflux.ts";
import { registerSearch } from "./search-tool.ts";
import type { Service } from "./service.ts";
import { registerVerify, input as verify } from "./verify.ts";

interface Tool {
  readonly name: string;
  /** The schema of the arguments. */
  readonly input: z.ZodObject;
  readonly register: (server: McpServer, service: Service) => void;
}

const OWN_TOOLS: readonly Tool[] = [
  { name: "search", input: search, register: registerSearch },
  { name: "index", input: index, register: registerIndex },
  { name: "get_chunk", input: getChunk, register: registerGetChunk },
  { name: "library_status", input: libraryStatus, register: registerLibraryStatus },
  { name: "verify", input: verify, register: registerVerify },
];

/** The tools of the Rifflux contract. Names, arguments, defaults and answers are the contract's. */
const CONTRACT_TOOLS: readonly Tool[] = [
  { name: "search_rifflux", input: searchRifflux, register: registerSearchRifflux },
  { name: "reindex", input: reindex, register: registerReindex },
];

export const TOOLS: readonly Tool[] = [...OWN_TOOLS, ...CONTRACT_TOOLS];
