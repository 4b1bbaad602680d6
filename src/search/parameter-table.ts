import { type Filters, PATTERNS_MAX } from "./filters.ts";
import { DISTANCE_MAX } from "./fold-duplicates.ts";
import { FUSION_LIMIT } from "./fuse.ts";
import type { FieldsOf, SearchParameter } from "./parameter-kinds.ts";
import type { ChannelWeights, PresetName, SearchParameters } from "./search-parameters.ts";

/** The largest count of candidates, results or results per page. SPEC §20.1 */
export const COUNT_MAX = 10_000;

const count = { kind: "number", isWhole: true, minimum: 1, maximum: COUNT_MAX } as const;
const weight = { kind: "number", isWhole: false, minimum: 0, maximum: FUSION_LIMIT, default: 1 } as const;
const candidates = {
  ...count,
  default: null,
  defaultSays: "20, or `topK` or `pageSize` if that is more",
} as const;

/** For what no contract knows: searches by a contract's rules leave it out. */
const NOT_IN_CONTRACTS = { cfs: false, rifflux: false, orchestration: false, docstokg: false } as const;

const FILTERS: FieldsOf<Filters> = {
  path: {
    kind: "texts",
    maximum: PATTERNS_MAX,
    default: null,
    flag: "--path <pattern>",
    says: 'Only documents whose path matches a pattern, such as "docs/**"',
  },
  mime: {
    kind: "texts",
    default: null,
    flag: "--mime <type>",
    says: 'Only documents of a media type, such as "text/markdown" or "text/*"',
  },
  modifiedAfter: {
    kind: "date",
    default: null,
    flag: "--after <date>",
    says: "Only documents modified after a date (UTC unless it names a zone)",
  },
  modifiedBefore: {
    kind: "date",
    default: null,
    flag: "--before <date>",
    says: "Only documents modified before a date (UTC unless it names a zone)",
  },
  contains: {
    kind: "text",
    default: null,
    flag: "--contains <text>",
    says: "Only documents that contain this text; case-sensitive",
  },
  metadata: {
    kind: "metadata",
    default: null,
    flag: "--metadata <key=value>",
    says: "Only documents whose metadata has this value under this key; of several values, one must match",
  },
};

const WEIGHTS: FieldsOf<ChannelWeights> = {
  semantic: {
    ...weight,
    presets: { docstokg: 0.65 },
    receipt: "semanticWeight",
    says: "The semantic channel's weight in fusion",
  },
  lexical: {
    ...weight,
    presets: { docstokg: 0.35 },
    receipt: "lexicalWeight",
    says: "The lexical channel's weight in fusion",
  },
  sparse: {
    ...weight,
    default: 0,
    receipt: "sparseWeight",
    isRareInReceipt: true,
    says: "The sparse channel's weight in fusion; with 0 it is not searched",
  },
};

/**
 * Every parameter of a search, in the order of a receipt: its allowed values, its default, what presets set it to, its
 * flag, and its description for people. The checks of `library.search`, the command line, the agents' tools and
 * selfsame.schema.json are derived from this table. SPEC §20.1
 *
 * @example
 * SEARCH_PARAMETERS.topK.maximum // 10000
 */
export const SEARCH_PARAMETERS: FieldsOf<SearchParameters> = {
  mode: {
    kind: "choice",
    choices: ["hybrid", "semantic", "lexical"],
    default: "hybrid",
    receipt: "mode",
    flag: "--mode <mode>",
    says: "Search by meaning (semantic), by words (lexical), or by both, fused (hybrid)",
  },
  topK: {
    ...count,
    default: 10,
    conflicts: "pageSize",
    receipt: "topK",
    flag: "--top-k <n>",
    says: "The number of results",
  },
  pageSize: {
    ...count,
    default: null,
    conflicts: "topK",
    receipt: "pageSize",
    flag: "--page-size <n>",
    says: "Return results in pages of this size instead of the first `topK`",
  },
  semanticK: {
    ...candidates,
    presets: { rifflux: { perResult: 2 }, orchestration: 100, docstokg: 60 },
    receipt: "semanticK",
    flag: "--semantic-k <n>",
    says: "The number of candidates by meaning",
  },
  lexicalK: {
    ...candidates,
    presets: { rifflux: { perResult: 2 }, orchestration: 100, docstokg: 80 },
    receipt: "lexicalK",
    flag: "--lexical-k <n>",
    says: "The number of candidates by words",
  },
  sparseK: {
    ...count,
    default: 80,
    receipt: "sparseK",
    isRareInReceipt: true,
    flag: "--sparse-k <n>",
    says: "The number of candidates by sparse vectors, if that channel has a weight",
  },
  bm25Scoring: {
    kind: "choice",
    choices: ["bm25", "bm25plus"],
    default: "bm25",
    receipt: "bm25Scoring",
    isRareInReceipt: true,
    flag: "--bm25-scoring <formula>",
    says: "How words are scored: bm25plus favours long chunks that have a rare word",
  },
  rrfK: {
    kind: "number",
    isWhole: false,
    minimum: 0,
    maximum: FUSION_LIMIT,
    default: 60,
    receipt: "rrfK",
    flag: "--rrf-k <number>",
    says: "The constant of reciprocal rank fusion",
  },
  weights: {
    kind: "group",
    orFlag: false,
    fields: WEIGHTS,
    default: null,
    defaultSays: "1, 1 and 0",
    flag: "--weights <semantic,lexical[,sparse]>",
    says: "The weight of each channel in fusion",
  },
  vector: {
    kind: "vector",
    default: null,
    receipt: "vector",
    isRareInReceipt: true,
    flag: "--vector <json>",
    isOfOneSearch: true,
    says: "The query's vector as a list of numbers, instead of the one that the library's model computes",
  },
  sparse: {
    kind: "sparse",
    default: null,
    receipt: "sparse",
    isRareInReceipt: true,
    flag: "--sparse <json>",
    isOfOneSearch: true,
    says: "The query's terms and weights for the sparse channel: an object with the lists terms and weights",
    defaultSays: "its tokens, weighted by rarity",
  },
  ef: {
    ...count,
    default: 50,
    receipt: "ef",
    flag: "--ef <n>",
    says: "How widely the graph is searched; larger values are slower and find more",
  },
  exact: {
    kind: "flag",
    default: false,
    receipt: "exact",
    flag: "--exact",
    says: "Compare all vectors, even if there is a graph",
  },
  preferCoverage: {
    kind: "flag",
    default: false,
    presets: { orchestration: true },
    receipt: "preferCoverage",
    flag: "--prefer-coverage",
    says: "Among equal scores, put results that both channels found first",
  },
  filters: {
    kind: "group",
    orFlag: false,
    fields: FILTERS,
    default: null,
    receipt: "filters",
    says: "Which documents are searched; a document must pass every filter",
  },
  filterMode: {
    kind: "choice",
    choices: ["pre", "post"],
    default: "pre",
    receipt: "filterMode",
    flag: "--filter-mode <mode>",
    says: "pre: filter before ranking. post: rank everything, then filter",
  },
  diversify: {
    kind: "group",
    orFlag: true,
    fields: {
      lambda: {
        kind: "number",
        isWhole: false,
        minimum: 0,
        maximum: 1,
        default: 0.7,
        receipt: "lambda",
        flag: "--lambda <number>",
        says: "For `diversify`: from 0 (difference alone) to 1 (relevance alone)",
      },
    },
    default: false,
    flag: "--diversify",
    says: "Prefer results that differ from each other",
  },
  groupBy: {
    kind: "choice",
    choices: ["path"],
    default: null,
    presets: { orchestration: "path" },
    receipt: "groupBy",
    flag: "--group-by <what>",
    says: "path: one result per document",
  },
  nearDuplicates: {
    kind: "number",
    isWhole: true,
    minimum: 0,
    maximum: DISTANCE_MAX,
    default: 0,
    receipt: "nearDuplicates",
    isRareInReceipt: true,
    flag: "--near-duplicates <bits>",
    says: "Fold results into a better one if their SimHashes differ in at most this many of 64 bits; 3 is usual",
  },
  minSimilarity: {
    kind: "number",
    isWhole: false,
    minimum: -1,
    maximum: 1,
    default: null,
    receipt: "minSimilarity",
    flag: "--min-similarity <cosine>",
    says: "Leave out results that are less similar than this and have none of the words",
  },
  bindPhrases: {
    kind: "flag",
    default: true,
    presets: { ...NOT_IN_CONTRACTS },
    receipt: "bindPhrases",
    flag: "--no-bind-phrases",
    says: "Require quoted phrases also in results that are found by meaning",
  },
  spelling: {
    kind: "flag",
    default: true,
    presets: { ...NOT_IN_CONTRACTS },
    receipt: "spelling",
    flag: "--no-spelling",
    says: "Replace words that occur in no document by the nearest ones that do",
  },
  cursor: {
    kind: "text",
    default: null,
    needs: "pageSize",
    flag: "--cursor <cursor>",
    isOfOneSearch: true,
    says: "Where the next page starts, as returned with the previous page; needs the same `pageSize`",
  },
  explain: {
    kind: "flag",
    default: false,
    flag: "--explain",
    says: "Show both ranked lists and how they were fused",
  },
  preset: {
    kind: "choice",
    choices: ["cfs", "rifflux", "orchestration", "docstokg"],
    default: null,
    flag: "--preset <name>",
    says: "Use the defaults of a contract (SPEC §20.2)",
  },
};

/** The rows of the table by name, without the specific type of each row. */
export const PARAMETER_ROWS = Object.entries(SEARCH_PARAMETERS) as [
  name: keyof SearchParameters,
  row: SearchParameter,
][];

/** Returns the names of the parameters that a preset sets. */
export function namesInPreset(preset: PresetName): (keyof SearchParameters)[] {
  const sets = (row: SearchParameter): boolean =>
    row.presets?.[preset] !== undefined ||
    (row.kind === "group" && Object.entries(row.fields).some(([, each]) => sets(each)));
  return PARAMETER_ROWS.filter(([, row]) => sets(row)).map(([name]) => name);
}

/** The names of parameters in a receipt, in the table's order, each with the argument that it resolves. SPEC §20.1 */
const IN_RECEIPT = PARAMETER_ROWS.flatMap(([name, row]) => {
  const leaves =
    row.kind === "group"
      ? Object.entries(row.fields).map(([field, each]) => [`${name}.${field}`, each] as const)
      : [];
  return [[name, row] as const, ...leaves].flatMap(([argument, { receipt }]) =>
    receipt === undefined ? [] : [[receipt, argument] as const],
  );
});

export const RECEIPT_NAMES: readonly string[] = IN_RECEIPT.map(([name]) => name);
/** The defaults of the parameters that a receipt leaves out, by their names there. SPEC §20.1 */
export const RARE_IN_RECEIPT: ReadonlyMap<string, unknown> = new Map(
  [...PARAMETER_ROWS.map(([, row]) => row), ...Object.values<SearchParameter>(WEIGHTS)].flatMap((row) =>
    row.isRareInReceipt === true ? [[row.receipt!, row.default] as const] : [],
  ),
);

/** Returns the name that an argument of a search, such as `weights.semantic`, has in a receipt. */
export function receiptNameOf(argument: string): string {
  return IN_RECEIPT.find(([, each]) => each === argument)?.[0] ?? argument;
}
