/**
 * What each command does, in the order of the help. Kept apart from the commands so that the help need not load them.
 */
export const DESCRIPTIONS = {
  index: "add new and changed files to a library, and remove deleted ones",
  ingest: "add chunks and vectors that were made elsewhere, from JSONL and Parquet files",
  export: "write documents and their vectors as a pack, or chunks that were made elsewhere as JSONL files",
  import: "add the documents and vectors of a pack, without computing them again",
  pull: "bring over what another library has, with its vectors: from a server, a web address, a folder or a file",
  search: "find chunks by meaning, by words, or by both",
  get: "print a document, some of its lines, or a chunk",
  ls: "list the documents of a library",
  rm: "remove documents from a library; files stay where they are",
  recall: "recall memories with reasons and a confidence, within what a person may see",
  watch: "keep a library up to date while files change",
  root: "print the root: equal on every device with the same documents",
  stats: "show what a library contains",
  diff: "list the documents that differ between two libraries",
  "verify-receipt": "re-run the search of a receipt and report whether the answer is the same",
  eval: "measure search quality in each mode against relevance judgements",
  embed: "compute the vector of a text",
  tokenize: "show the tokens of a text, with the bytes that each covers",
  verify: "run the published test vectors, to check that this device computes the same bits",
  compact: "shrink a library and erase all traces of removed documents from its file",
  doctor: "check this device, the installed files, and the library if there is one",
  mcp: "serve search and indexing to agents over the Model Context Protocol",
  serve: "serve namespaces over HTTP: search, ingest, embeddings, metrics",
  cluster: "spread one library over many machines, joined by NATS: the same answers, bit by bit",
  snapshot: "write a portable copy of a namespace, from which it can be restored on another machine",
  restore: "put a snapshot in the place of a namespace",
  web: "serve the web page on this machine, for search, receipts and conformance; its library is kept in the browser",
  bench: "measure this device: embedding, and searches of the library if there is one",
  demo: "index the published corpus and search it",
} as const;

export type CommandName = keyof typeof DESCRIPTIONS;
