/**
 * What each command does, in the order of the help. Kept apart from the commands so that the help need not load them.
 */
export const DESCRIPTIONS = {
  index: "bring a library up to date with files: new, changed and removed ones",
  search: "find chunks by meaning, by words, or by both",
  watch: "keep a library up to date while files change",
  root: "print the root: equal on every device with the same documents",
  stats: "count what a library holds",
  diff: "show the documents in which two libraries differ",
  "verify-receipt": "re-run the search of a receipt: does this library give the same answer?",
  eval: "measure how well each mode finds what people judged relevant",
  embed: "turn a text into its vector",
  tokenize: "show the tokens of a text, with the bytes that each covers",
  verify: "run the published test vectors: does this device compute the same bits?",
  compact: "shrink a library, and leave nothing of removed documents in its file",
  doctor: "check this device, the installed files, and the library if there is one",
  mcp: "serve agents: search and index through the Model Context Protocol",
  serve: "serve namespaces over HTTP: search, ingest, embeddings, metrics",
  web: "serve the page on this machine: search, how rankings come about, receipts, conformance; its library is its own, in the browser",
  bench: "measure this device: embedding, and searches of the library if there is one",
  demo: "index the published corpus and search it",
} as const;

export type CommandName = keyof typeof DESCRIPTIONS;
