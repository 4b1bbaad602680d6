import type { LibraryAccess } from "./access.ts";
import { ADD_NOTE } from "./add-note.ts";
import { GET_CHUNK } from "./get-chunk.ts";
import { GET_DOCUMENT } from "./get-document.ts";
import { INDEX } from "./index-tool.ts";
import { LIBRARY_STATUS } from "./library-status.ts";
import { LIST_DOCUMENTS } from "./list-documents.ts";
import type { Offer } from "./offer.ts";
import { RECALL } from "./recall-tool.ts";
import { REINDEX } from "./reindex.ts";
import { REMOVE } from "./remove-tool.ts";
import { SEARCH_RIFFLUX } from "./search-rifflux.ts";
import { SEARCH } from "./search-tool.ts";
import type { Service } from "./service.ts";
import type { Tool } from "./tool.ts";
import { VERIFY } from "./verify.ts";

const READING: readonly Tool<LibraryAccess>[] = [
  SEARCH,
  GET_DOCUMENT,
  LIST_DOCUMENTS,
  RECALL,
  LIBRARY_STATUS,
  VERIFY,
];

const READING_CONTRACTS: readonly Tool<LibraryAccess>[] = [SEARCH_RIFFLUX, GET_CHUNK];

/** Returns the tools that write nothing and name no files, for clients that may access none. */
export function readingTools({ contracts = false }: Offer): readonly Tool<LibraryAccess>[] {
  return contracts ? [...READING, ...READING_CONTRACTS] : READING;
}

/** Returns the tools of a server with files. */
export function toolsOf({ contracts = false, writable = false }: Offer): readonly Tool<Service>[] {
  return [
    ...READING,
    INDEX,
    ...(writable ? [ADD_NOTE, REMOVE] : []),
    ...(contracts ? [...READING_CONTRACTS, REINDEX] : []),
  ];
}

/** Says how to get a tool that this server does not offer; null for a name that no server knows. */
export function howToOffer(name: string): string | null {
  const has = (tools: readonly { readonly name: string }[]) => tools.some((each) => each.name === name);
  if (has([ADD_NOTE, REMOVE])) return `${name} needs a server that was started with --writable`;
  if (has([...READING_CONTRACTS, REINDEX])) return `${name} needs a server that was started with --contracts`;
  return null;
}
