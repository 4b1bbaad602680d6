// Search (SPEC §20) on a few documents in memory: every rule in the order in which it is written, nothing kept between
// queries, the exact scan alone (SPEC §14.3: that is what answers for as few vectors).
import type { CorpusChunk, CorpusDocument } from "./corpus.ts";
import { passes } from "./filters.ts";
import { type FullText, openFullText } from "./full-text.ts";
import { exclusion, match, parseQuery, STOP_WORDS, searchText } from "./query.ts";
import { diversify, fuse, type List, ordered } from "./ranking.ts";
import { nearest, openSpelling, type Spelling } from "./spelling.ts";
import { countTokens, simHash } from "./term-signature.ts";
import { exactSearch } from "./vectors.ts";

/** As a caller gives them. SPEC §20.1 */
export interface Given {
  mode?: "hybrid" | "semantic" | "lexical";
  topK?: number;
  semanticK?: number;
  lexicalK?: number;
  rrfK?: number;
  pageSize?: number;
  weights?: { semantic?: number; lexical?: number };
  preferCoverage?: boolean;
  filters?: { path?: string | string[]; contains?: string };
  filterMode?: "pre" | "post";
  diversify?: { lambda?: number };
  groupBy?: "path";
  minSimilarity?: number;
  nearDuplicates?: number;
  bindPhrases?: boolean;
  spelling?: boolean;
}

export interface Answer {
  /** The MATCH expression; null without words. */
  match: string | null;
  results: { id: string; score: string }[];
  /** What was folded into each id that was kept; empty if nothing was to be folded. */
  folded: Map<string, string[]>;
}

export interface Shelf {
  readonly documents: readonly CorpusDocument[];
  readonly chunks: readonly CorpusChunk[];
  readonly vectors: readonly Int16Array[];
  readonly fullText: FullText;
  readonly spelling: Spelling;
}

export async function openShelf(
  documents: readonly CorpusDocument[],
  chunks: readonly CorpusChunk[],
  vectors: readonly Int16Array[],
): Promise<Shelf> {
  const rows = chunks.map(
    ({ text, headings }) => [searchText(text), searchText(headings.join(" > "))] as const,
  );
  return {
    documents,
    chunks,
    vectors,
    fullText: await openFullText(rows),
    spelling: await openSpelling(rows),
  };
}

/** The parameters of a receipt. SPEC §20.1 */
export function resolved(given: Given) {
  const { pageSize, topK = 10 } = given;
  const isPost = given.filters !== undefined && given.filterMode === "post";
  const count = (k: number | undefined): number =>
    Math.max(k ?? Math.max(20, pageSize ?? topK), isPost ? 100 : 0);
  const { path, ...otherFilters } = given.filters ?? {};
  return {
    mode: given.mode ?? "hybrid",
    ...(pageSize === undefined ? { topK } : { pageSize }),
    semanticK: count(given.semanticK),
    lexicalK: count(given.lexicalK),
    rrfK: Math.fround(given.rrfK ?? 60),
    semanticWeight: Math.fround(given.weights?.semantic ?? 1),
    lexicalWeight: Math.fround(given.weights?.lexical ?? 1),
    ef: 50,
    exact: false,
    preferCoverage: given.preferCoverage ?? false,
    filters:
      given.filters === undefined
        ? null
        : { ...otherFilters, ...(path === undefined ? {} : { path: [path].flat() }) },
    filterMode: given.filterMode ?? "pre",
    lambda: given.diversify === undefined ? null : Math.floor((given.diversify.lambda ?? 0.7) * 1000 + 0.5),
    groupBy: given.groupBy ?? null,
    ...(given.nearDuplicates === undefined || given.nearDuplicates === 0
      ? {}
      : { nearDuplicates: given.nearDuplicates }),
    minSimilarity: given.minSimilarity ?? null,
    bindPhrases: given.bindPhrases ?? true,
    spelling: given.spelling ?? true,
  };
}

export async function search(
  shelf: Shelf,
  query: string,
  vectorOf: (text: string) => Int16Array,
  given: Given,
): Promise<Answer> {
  const p = resolved(given);
  const { chunks, vectors, fullText } = shelf;
  const parsed = parseQuery(query);
  const passing = new Set(
    shelf.documents
      .filter(({ path, text }) =>
        passes(p.filters ?? {}, { path, text, mime: null, modifiedAt: null, metadata: null }),
      )
      .map(({ path }) => path),
  );
  const isSeen = (i: number): boolean => p.filterMode === "post" || passing.has(chunks[i]!.path);

  // SPEC §20.3
  const spelled = p.spelling ? await spell(shelf, parsed.terms, parsed.phrases) : parsed.terms;
  const wanted = { ...parsed, terms: spelled };
  const expression = match(wanted);
  const excluding = exclusion(parsed.excluded);
  const excluded = excluding === null ? new Map<number, number>() : await fullText.scores(excluding);
  const bm25 = new Map<string, number>();
  if (p.mode !== "semantic" && expression !== null) {
    // With NOT, bm25() depends on the order of the rows.
    const scores = await fullText.scores(match({ ...wanted, excluded: [] })!);
    const rows = [...scores].filter(([i]) => isSeen(i) && !excluded.has(i));
    rows.sort(([i, a], [j, b]) => a - b || comparePlaces(chunks[i]!, chunks[j]!));
    for (const [i, score] of rows.slice(0, p.lexicalK)) bm25.set(chunks[i]!.id, score);
  }

  // SPEC §20.4
  const dots = new Map<string, number>();
  const vector = parsed.semanticText === "" ? null : vectorOf(parsed.semanticText);
  if (p.mode !== "lexical" && vector !== null) {
    const phrased =
      p.bindPhrases && parsed.phrases.length > 0
        ? await fullText.scores(match({ ...parsed, terms: [], excluded: [] })!)
        : null;
    const items = chunks
      .map(({ id }, i) => ({ id: Uint8Array.from(Buffer.from(id, "hex")), vector: vectors[i]! }))
      .filter((_, i) => isSeen(i) && !excluded.has(i) && (phrased === null || phrased.has(i)));
    for (const { id, dot } of exactSearch(items, vector, p.semanticK)) {
      const name = Buffer.from(id).toString("hex");
      if (p.minSimilarity === null || dot >= p.minSimilarity * 1073676289 || bm25.has(name))
        dots.set(name, dot);
    }
  }

  // SPEC §20.5
  const lists: List[] = [
    { ids: [...dots.keys()], weight: p.semanticWeight },
    { ids: [...bm25.keys()], weight: p.lexicalWeight },
  ];
  const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
  const places = Object.fromEntries(chunks.map((chunk) => [chunk.id, chunk]));
  const fused = fuse(lists, p.rrfK);
  const scores = new Map(fused.map(({ id, score }) => [id, score]));
  let ids = ordered(fused, places, lists, p.preferCoverage);
  if (p.groupBy === "path") {
    const first = new Map<string, string>();
    for (const id of ids) if (!first.has(byId.get(id)!.path)) first.set(byId.get(id)!.path, id);
    const grouped = lists.map(({ ids: members, weight }) => ({
      ids: [...new Set(members.map((id) => first.get(byId.get(id)!.path)!))],
      weight,
    }));
    const groups = fuse(grouped, p.rrfK);
    ids = ordered(groups, places, grouped, p.preferCoverage);
    for (const { id, score } of groups) scores.set(id, score);
  }
  if (p.filterMode === "post") ids = ids.filter((id) => passing.has(byId.get(id)!.path));
  const folded = new Map<string, string[]>();
  if (p.nearDuplicates !== undefined) ids = await fold(ids, byId, p.nearDuplicates, folded);
  if (p.lambda !== null && vector !== null) {
    const found = ids.map((id) => vectors[chunks.indexOf(byId.get(id)!)]!);
    ids = diversify(found, vector, p.lambda, ids.length).map((i) => ids[i]!);
  }
  const bits = (id: string): string => {
    if (p.mode === "semantic") return hexOf(4, (view) => view.setInt32(0, dots.get(id)!));
    if (p.mode === "lexical") return hexOf(8, (view) => view.setFloat64(0, bm25.get(id)!));
    return hexOf(4, (view) => view.setFloat32(0, scores.get(id)!));
  };
  return {
    match: expression,
    results: ids.slice(0, given.pageSize ?? given.topK ?? 10).map((id) => ({ id, score: bits(id) })),
    folded,
  };
}

/** SPEC §16.6. Returns what is kept, and fills `folded`. */
async function fold(
  ids: readonly string[],
  byId: ReadonlyMap<string, { readonly text: string }>,
  distance: number,
  folded: Map<string, string[]>,
): Promise<string[]> {
  const hashes = new Map<string, bigint>();
  for (const id of ids)
    hashes.set(id, BigInt(`0x${simHash(await countTokens(searchText(byId.get(id)!.text)))}`));
  const ones = (x: bigint): number => [...x.toString(2)].filter((bit) => bit === "1").length;
  for (const id of ids) {
    const own = hashes.get(id)!;
    const twin = [...folded.keys()].find(
      (other) => own !== 0n && hashes.get(other) !== 0n && ones(own ^ hashes.get(other)!) <= distance,
    );
    if (twin === undefined) folded.set(id, []);
    else folded.get(twin)!.push(id);
  }
  return [...folded.keys()];
}

/** SPEC §15.9 */
async function spell(
  { fullText, spelling }: Shelf,
  terms: readonly string[],
  phrases: readonly string[],
): Promise<string[]> {
  const replaced = new Map<string, string>();
  let left = 8;
  const out: string[] = [];
  for (const term of terms) {
    const words: string[] = [];
    for (const word of term.split(" ")) {
      const folded = STOP_WORDS.includes(word) ? null : await spelling.folded(word);
      const isMissing = folded !== null && (await fullText.frequencies(word)).every((count) => count === 0);
      if (isMissing && left > 0 && !replaced.has(word)) {
        left--;
        const near = nearest(spelling.vocabulary, folded);
        if (near !== null) replaced.set(word, near);
      }
      words.push(replaced.get(word) ?? word);
    }
    out.push(words.join(" "));
  }
  return [...new Set(out)].filter((term) => !phrases.includes(term));
}

function comparePlaces(a: CorpusChunk, b: CorpusChunk): number {
  return Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)) || a.sequence - b.sequence;
}

function hexOf(bytes: number, write: (view: DataView) => void): string {
  const view = new DataView(new ArrayBuffer(bytes));
  write(view);
  return Buffer.from(view.buffer).toString("hex");
}
