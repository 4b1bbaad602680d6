// test-vectors/search.json: `npm run vectors -- search`, some minutes the first time.
import { embedAll } from "./cached-embedding.ts";
import {
  type CorpusChunk,
  chunksOf,
  corpusVocabulary,
  leavesOf,
  MODEL,
  NAMESPACE,
  readCorpus,
  readJudged,
} from "./corpus.ts";
import { hash } from "./identity.ts";
import { readManifest } from "./manifest.ts";
import { parseQuery } from "./query.ts";
import { receiptDigest } from "./receipt.ts";
import { rootOf } from "./root.ts";
import { type Given, openShelf, resolved, search } from "./search.ts";

/** Beyond the three modes: each parameter that moves a result, on queries where it does. */
const OTHERS: readonly (readonly [query: string, parameters: Given])[] = [
  ["near-duplicates", { diversify: {} }],
  ["near-duplicates", { mode: "semantic", diversify: { lambda: 0.3 }, topK: 5 }],
  ["near-duplicates", { mode: "lexical", diversify: { lambda: 0.5 } }],
  ["concept-backup-copies", { groupBy: "path" }],
  ["concept-backup-copies", { groupBy: "path", mode: "semantic" }],
  ["concept-backup-copies", { groupBy: "path", mode: "lexical", preferCoverage: true }],
  ["merkle-verification", { preferCoverage: true, topK: 40 }],
  ["merkle-verification", { weights: { semantic: 0.65, lexical: 0.35 }, rrfK: 10.1 }],
  ["merkle-verification", { weights: { lexical: 0 } }],
  ["concept-backup-copies", { pageSize: 50 }],
  ["concept-backup-copies", { topK: 50 }],
  ["merkle-verification", { semanticK: 3, lexicalK: 3 }],
  ["merkle-verification", { filters: { path: "languages/*" } }],
  ["merkle-verification", { filters: { path: "languages/*" }, filterMode: "post" }],
  ["mixed-retry", { filters: { path: ["code/**", "*.md"], contains: "jitter" } }],
  ["error-econnreset", { filters: { path: "{code,operations}/**" }, mode: "lexical" }],
  ["error-econnreset", { filters: { path: "nothing/*" } }],
  ["excluded-bread", { topK: 30, semanticK: 30, lexicalK: 30 }],
];

/** Queries that the judged ones lack: misspelled words, and phrases that bind both channels. */
const FURTHER = [
  { id: "spelling-one-edit", text: "merkel root" },
  { id: "spelling-two-edits", text: "verfiication of proofss" },
  { id: "spelling-none-near", text: "zzzzyx qwrtplk" },
  { id: "spelling-in-a-term", text: "content-adressed ids" },
  { id: "spelling-quoted", text: '"merkel" root' },
  { id: "phrase", text: '"merkle root" of documents' },
  { id: "phrase-nowhere", text: '"merkle cucumber" tree' },
  { id: "unrelated", text: "xylophone" },
] as const;

const FURTHER_CASES: readonly (readonly [query: string, parameters: Given])[] = [
  ...FURTHER.map(({ id }) => [id, {}] as const),
  ["spelling-one-edit", { spelling: false }],
  ["spelling-one-edit", { mode: "lexical" }],
  ["phrase", { bindPhrases: false }],
  ["phrase", { mode: "semantic" }],
  ["phrase-nowhere", { bindPhrases: false }],
  ["unrelated", { minSimilarity: 0.3 }],
  ["merkle-verification", { minSimilarity: 0.35, topK: 40 }],
  ["merkle-verification", { minSimilarity: 1, mode: "semantic" }],
  ["merkle-verification", { minSimilarity: -1, mode: "semantic" }],
  ["merkle-verification", { nearDuplicates: 3 }],
  ["merkle-verification", { nearDuplicates: 20, topK: 30 }],
  ["merkle-verification", { nearDuplicates: 22, diversify: {} }],
  ["concept-backup-copies", { nearDuplicates: 64, mode: "lexical" }],
  ["concept-backup-copies", { nearDuplicates: 18, groupBy: "path", mode: "semantic" }],
];

type Embed = (texts: readonly string[]) => Int16Array[] | Promise<Int16Array[]>;

/** @param embed the reference's, unless a test has a faster way to the same vectors */
export async function generate(embed: Embed = (texts) => embedAll(MODEL, texts)) {
  const documents = readCorpus();
  const vocabulary = corpusVocabulary();
  const chunks = documents.flatMap((document) => chunksOf(document, vocabulary));
  const judged = readJudged("queries.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; text: string });
  const queries = [...judged, ...FURTHER];
  const texts = queries.map(({ text }) => parseQuery(text).semanticText);
  const vectors = await embed([...texts, ...chunks.map(({ text }) => text)]);
  const vectorOf = (text: string): Int16Array => vectors[texts.indexOf(text)]!;
  const shelf = await openShelf(documents, chunks, vectors.slice(texts.length));
  const root = rootOf(leavesOf(documents));
  const canon = canonOf();
  const wanted: [string, Given][] = [
    ...judged.flatMap(({ id }) =>
      (["hybrid", "semantic", "lexical"] as const).map((mode): [string, Given] => [id, { mode }]),
    ),
    ...[...OTHERS, ...FURTHER_CASES].map(([id, given]): [string, Given] => [id, given]),
  ];
  const cases = [];
  for (const [id, given] of wanted) {
    const { text: query } = queries.find((each) => each.id === id)!;
    const { match, results, folded } = await search(shelf, query, vectorOf, given);
    const body = { canon, root, metadataRoot: null, query, parameters: resolved(given), results };
    cases.push({
      id,
      query,
      parameters: given,
      match,
      results: results.map((result) => `${result.id} ${result.score}`),
      ...(folded.size === 0 ? {} : { duplicates: results.map(({ id }) => folded.get(id)!.join(" ")) }),
      receipt: receiptDigest(body),
    });
  }
  await shelf.fullText.close();
  await shelf.spelling.close();
  return {
    _comment:
      "The documents of test-vectors/corpus/, each with its path below that folder, in one library with default settings. chunks: key (path#sequence, which qrels.jsonl uses) and id. cases: the answer to a query (of queries.jsonl, or a further one) with parameters as a caller gives them: the MATCH expression, the results, best first, each an id and the bits of its score, and the digest of the receipt.",
    spec: "SPEC §20",
    parameters: {
      model: MODEL,
      canon,
      root,
      chunks: chunks.map(({ key, id }: CorpusChunk) => `${id} ${key}`),
    },
    cases,
  };
}

/** SPEC §14.1 */
function canonOf(): string {
  const { files, limit } = readManifest(MODEL);
  const parts: readonly (readonly [string, string])[] = [
    ["spec", "2"],
    ["model", files.weights.sha256],
    ["tokenizer", files.tokenizer.sha256],
    ["limit", String(limit)],
    ["sqlite", "c2c86269d8fd0b0913ea40c2b07d82763f00e293b9e4d7c406f5ed95345ddb25"],
    ["chunking", `${limit} ${Math.floor(limit / 8)} ${16 * limit}`],
    ["index", "auto"],
    ["segment", "131072"],
    ["namespace", NAMESPACE],
  ];
  const fields = parts.flat().map((part) => new TextEncoder().encode(part));
  return Buffer.from(hash("canon", ...fields)).toString("hex");
}
