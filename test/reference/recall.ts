// Recall (SPEC §26) on a few documents in memory, rule by rule in the order in which they are written. BM25 comes from
// FTS5 itself, over a table that holds the permitted chunks alone.
import { bitsOf, floatOf } from "./arith.ts";
import { f32Exp } from "./functions.ts";
import { exclusion, match, parseQuery, searchText } from "./query.ts";
import { fuse } from "./ranking.ts";
import { openSqlite } from "./sqlite.ts";
import { countTokens, ln, simHash, termNorm } from "./term-signature.ts";
import { dot } from "./vectors.ts";

const f = Math.fround;
const exp = (x: number): number => floatOf(f32Exp(bitsOf(x)));

export interface RecallDocument {
  readonly path: string;
  readonly text: string;
  readonly modifiedAt?: number;
  readonly metadata?: Record<string, unknown>;
  /** Names, tags and links, as SPEC §26.4 reads them: `kind target`. */
  readonly links: readonly string[];
}

export interface RecallChunk {
  readonly id: string;
  readonly documentId: string;
  readonly path: string;
  readonly sequence: number;
  readonly headings: readonly string[];
  readonly text: string;
  readonly tokens: number;
  readonly vector: Int16Array;
}

// biome-ignore lint/suspicious/noExplicitAny: a request, as JSON has it
export type Ctx = Record<string, any>;

export const FEATURES = [
  "bm25",
  "tfidf_cosine",
  "cosine",
  "recency",
  "personalization",
  "affect_compat",
  "tom_alignment",
  "focus",
  "length_penalty",
  "source_prior",
  "rrf",
];
export const WEIGHTS = [1, 1.1, 2.5, 0.35, 0.3, 0.15, 0.15, 0.4, -0.05, 0.05, 1];

/** SPEC §26.2 */
export function work(budget: number): { perResult: number; hops: number; pairs: number } {
  if (budget >= 500) return { perResult: 4, hops: 2, pairs: 50 };
  if (budget >= 250) return { perResult: 3, hops: 2, pairs: 24 };
  if (budget >= 100) return { perResult: 2, hops: 2, pairs: 12 };
  if (budget >= 20) return { perResult: 2, hops: 2, pairs: 4 };
  if (budget >= 10) return { perResult: 2, hops: 1, pairs: 0 };
  return { perResult: 1, hops: 0, pairs: 0 };
}

const strings = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : Array.isArray(value)
      ? value.filter((x) => typeof x === "string")
      : [];

/** SPEC §26.5 */
export function permitted(metadata: Record<string, unknown>, ctx: Ctx, namespace: string): boolean {
  const bands = ["GREEN", "AMBER", "RED", "BLACK"];
  const { max_band = "GREEN", roles = [], allow_shared = true } = ctx["filters"] ?? {};
  const band = metadata["band"] ?? "GREEN";
  const level = typeof band === "string" && bands.includes(band) ? bands.indexOf(band) : 3;
  if (level > bands.indexOf(max_band)) return false;
  const me: string[] = [...(ctx["person_id"] === undefined ? [] : [ctx["person_id"]]), ...roles];
  const readers = metadata["readers"] ?? null;
  if (readers !== null && !me.some((name) => strings(readers).includes(name))) return false;
  if (allow_shared) return true;
  const space = typeof metadata["space"] === "string" ? metadata["space"] : namespace;
  const isOthers = readers !== null && strings(readers).some((name) => name !== ctx["person_id"]);
  return metadata["shared"] !== true && !isOthers && !/^(selective|shared|extended|interfamily):/.test(space);
}

/** SPEC §26.7, those of metadata: recency, personalization, affect, tom. */
export function metadataFeatures(
  { metadata = {}, modifiedAt }: Pick<RecallDocument, "metadata" | "modifiedAt">,
  ctx: Ctx,
): [number, number, number, number] {
  const date = metadata["date"];
  const read = typeof date === "string" ? Date.parse(/T/.test(date) ? date : `${date}T00:00Z`) : date;
  const time = Number.isSafeInteger(read) ? (read as number) : (modifiedAt ?? null);
  const names = (...fields: string[]) =>
    fields.some((each) => strings(metadata[each]).includes(ctx["person_id"]));
  const [mine, its] = [ctx["affect"], metadata["affect"] as { valence: number; arousal: number } | undefined];
  const labels = [...new Set<string>(ctx["tom"] ?? [])];
  const had = labels.filter((label) => strings(metadata["tom"]).includes(label)).length;
  return [
    time === null ? 0 : exp(-f(Math.max(0, ctx["now"] - time) / 1209600000)),
    names("person_id", "owner", "author") ? 1 : names("people", "participants", "mentions") ? 0.5 : 0,
    mine === undefined || its === undefined
      ? 0
      : f(1 - (Math.abs(mine.valence - its.valence) + Math.abs(mine.arousal - its.arousal)) / 4),
    labels.length === 0 ? 0 : f(had / labels.length),
  ];
}

export const lengthPenalty = (tokens: number): number => f(1 - Math.min(tokens, 32) / 32);
export const sourcePrior = (store: string): number => ({ fts: 1, vector: 1, tfidf: 0.75 })[store] ?? 0.5;

/** SPEC §26.8 */
export function score(features: readonly number[], weights: readonly number[]): number {
  return features.reduce((sum, feature, i) => f(sum + f(f(weights[i]!) * feature)), 0);
}

/** SPEC §26.10 */
export const confidence = (value: number, slope: number, offset: number): number =>
  f(1 / f(1 + exp(f(f(f(slope) * value) + f(offset)))));

/** SPEC §26.11 */
export function learned(weight: number, sum: number, events: number): number {
  const mean = Math.trunc(sum / (events + 20));
  return f(weight + Math.trunc((mean * Math.floor(Math.abs(weight) * 500)) / 1000) / 1000);
}

const cosine = (a: Int16Array, b: Int16Array): number => f(Math.min(1, Math.max(0, dot(a, b) / 32767 ** 2)));
const bytes = (text: string): Buffer => Buffer.from(text, "utf8");
const byBytes = (a: string, b: string): number => Buffer.compare(bytes(a), bytes(b));
const byPlace = (a: RecallChunk, b: RecallChunk): number =>
  byBytes(a.path, b.path) || a.sequence - b.sequence;

/** What the words say of each permitted chunk: BM25, and the cosine of term weights. SPEC §26.6 */
async function words(chunks: readonly RecallChunk[], query: string) {
  const parsed = parseQuery(query);
  const { ask, close } = await openSqlite();
  await ask(
    "CREATE VIRTUAL TABLE p USING fts5 (text, headings, tokenize = 'porter unicode61 remove_diacritics 2')",
  );
  for (const [i, { text, headings }] of chunks.entries())
    await ask("INSERT INTO p (rowid, text, headings) VALUES (?, ?, ?)", [
      i,
      searchText(text),
      searchText(headings.join(" > ")),
    ]);
  const rows = async (expression: string | null) =>
    expression === null
      ? new Map<number, number>()
      : new Map(
          (await ask("SELECT rowid, bm25(p, 1.0, 1.0) FROM p WHERE p MATCH ?", [expression])).map(
            ([row, value]) => [Number(row), -Number(value)],
          ),
        );
  const excluded = new Set((await rows(exclusion(parsed.excluded))).keys());
  // With NOT, bm25() depends on the order of the rows.
  const bm25 = await rows(match({ ...parsed, excluded: [] }));
  for (const row of excluded) bm25.delete(row);
  const items = [[...parsed.phrases].sort(byBytes), [...parsed.terms].sort(byBytes)].flat();
  // An item's count in a chunk: the words between the marks of highlight(), for both columns.
  const counts = new Map<string, Map<number, number>>();
  for (const item of items) {
    const found = await ask(
      "SELECT rowid, highlight(p, 0, char(1), char(2)), highlight(p, 1, char(1), char(2)) FROM p WHERE p MATCH ?",
      [`"${item}"`],
    );
    const times = (marked: unknown) => String(marked).split("\u0001").length - 1;
    counts.set(
      item,
      new Map(found.map(([row, text, headings]) => [Number(row), times(text) + times(headings)])),
    );
  }
  await close();
  const idf = items.map((item) =>
    counts.get(item)!.size === 0 ? 0 : ln(chunks.length) - ln(counts.get(item)!.size),
  );
  const length = f(Math.sqrt(f(idf.reduce((sum, each) => sum + each * each, 0))));
  const tfidf = new Map<number, number>();
  for (const row of bm25.keys()) {
    const { text, headings } = chunks[row]!;
    const all = await countTokens(`${searchText(text)} ${searchText(headings.join(" > "))}`);
    let sum = 0;
    for (const [i, item] of items.entries()) {
      const n = counts.get(item)!.get(row) ?? 0;
      if (n > 0) sum += idf[i]! * (1 + ln(n));
    }
    const lengths = f(length * f(Math.sqrt(termNorm(all))));
    tfidf.set(row, lengths === 0 ? 0 : Math.min(1, f(f(sum) / lengths)));
  }
  return { bm25, tfidf, excluded, semanticText: parsed.semanticText };
}

const STOP =
  "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my no not of on or our so than that the their them then there these they this those to us was we were what when where which who why will with would you your".split(
    " ",
  );

/** The documents of the graph with distance, words and kind, in the order of SPEC §26.6, step 2. */
async function graph(documents: readonly RecallDocument[], text: string, hops: number) {
  const tokens: [word: string, token: string][] = [];
  for (const [word] of searchText(text).matchAll(/[\p{L}\p{N}]+/gu)) {
    const [token] = [...(await countTokens(word)).keys()];
    tokens.push([word.toLowerCase(), Buffer.from(token!, "hex").toString("latin1")]);
  }
  const keys = new Map<string, number>();
  for (let from = 0; from < tokens.length; from++)
    for (let n = 1; n <= 8 && from + n <= tokens.length; n++)
      if (n > 1 || !STOP.includes(tokens[from]![0]))
        keys.set(
          tokens
            .slice(from, from + n)
            .map(([, token]) => token)
            .join(" "),
          n,
        );
  const of = (document: RecallDocument, kind: string): string[] =>
    document.links.filter((each) => each.startsWith(`${kind} `)).map((each) => each.slice(kind.length + 1));
  type Reached = { document: RecallDocument; distance: number; words: number; tag: number };
  const order = (a: Reached, b: Reached) =>
    a.distance - b.distance ||
    b.words - a.words ||
    a.tag - b.tag ||
    byBytes(a.document.path, b.document.path);
  const ways = documents.flatMap((document) => [
    ...of(document, "name").flatMap((key) =>
      keys.has(key) ? [{ document, distance: 0, words: keys.get(key)!, tag: 0 }] : [],
    ),
    ...of(document, "tag").flatMap((key) =>
      keys.has(key) ? [{ document, distance: 0, words: keys.get(key)!, tag: 1 }] : [],
    ),
  ]);
  const reached: Reached[] = [];
  const add = (all: Reached[]) => {
    for (const way of all.sort(order))
      if (!reached.some(({ document }) => document === way.document)) reached.push(way);
  };
  add(ways);
  for (let distance = 0; distance < hops; distance++) {
    const front = reached
      .filter((each) => each.distance === distance)
      .sort(order)
      .slice(0, 32);
    add(
      front.flatMap(({ document, words: n, tag }) =>
        documents
          .filter((other) => linked(document, other))
          .map((other) => ({ document: other, distance: distance + 1, words: n, tag })),
      ),
    );
  }
  return reached.sort(order);
}

/** SPEC §26.6 */
function linked(a: RecallDocument, b: RecallDocument): boolean {
  const states = (from: RecallDocument, to: RecallDocument) =>
    from.links.includes(`path ${to.path}`) ||
    from.links.some((each) => each.startsWith("title ") && to.links.includes(`name ${each.slice(6)}`));
  return a !== b && (states(a, b) || states(b, a));
}

export interface Recalled {
  readonly id: string;
  readonly score: string;
  readonly confidence: string;
  readonly source: string;
  readonly features: Record<string, string>;
  readonly duplicates: string[];
  readonly cross_encoder?: string;
}

const hex = (value: number): string => bitsOf(value).toString(16).padStart(8, "0");

/** The whole recall. `embed` gives the vector of a text, `logit` that of a pair. */
export async function recall(
  all: readonly RecallDocument[],
  everyChunk: readonly RecallChunk[],
  namespace: string,
  query: string,
  ctx: Ctx,
  embed: (text: string) => Int16Array,
  logit: (query: string, text: string) => number,
): Promise<Recalled[]> {
  const documents = all.filter(({ metadata }) => permitted(metadata ?? {}, ctx, namespace));
  const chunks = everyChunk.filter(({ path }) => documents.some((each) => each.path === path));
  const topK: number = ctx["top_k"] ?? 12;
  const { perResult, hops, pairs } = work(ctx["time_budget_ms"] ?? 40);
  const k = perResult * topK;
  const { bm25, tfidf, excluded, semanticText } = await words(chunks, query);
  const usesVectors = !("stores" in ctx) || ctx["stores"].includes("vector");
  const vector = usesVectors && semanticText !== "" ? embed(semanticText) : null;
  const dots = chunks.map((chunk) => (vector === null ? 0 : dot(chunk.vector, vector)));
  const seen = [...chunks.keys()].filter((i) => !excluded.has(i));
  const best = (values: Map<number, number>) =>
    seen
      .filter((i) => (values.get(i) ?? 0) > 0)
      .sort((i, j) => values.get(j)! - values.get(i)! || byPlace(chunks[i]!, chunks[j]!))
      .slice(0, k);
  const nearest = (path: string): number | undefined =>
    [...chunks.keys()]
      .filter((i) => chunks[i]!.path === path)
      .sort((i, j) =>
        vector === null
          ? chunks[i]!.sequence - chunks[j]!.sequence
          : dots[j]! - dots[i]! || byBytes(chunks[i]!.id, chunks[j]!.id),
      )[0];
  const reached = (await graph(documents, semanticText, hops)).flatMap((each) => {
    const i = nearest(each.document.path);
    return i === undefined ? [] : [{ ...each, i }];
  });
  const kg = reached
    .sort(
      (a, b) =>
        a.distance - b.distance ||
        b.words - a.words ||
        a.tag - b.tag ||
        dots[b.i]! - dots[a.i]! ||
        byBytes(a.document.path, b.document.path),
    )
    .slice(0, k)
    .map(({ i }) => i)
    .filter((i) => !excluded.has(i));
  const lists: [string, number[]][] = (
    [
      [
        "vector",
        vector === null
          ? []
          : seen.sort((i, j) => dots[j]! - dots[i]! || byBytes(chunks[i]!.id, chunks[j]!.id)).slice(0, k),
      ],
      ["fts", best(bm25)],
      ["tfidf", best(tfidf)],
      ["kg", kg],
    ] as [string, number[]][]
  ).filter(([name]) => ctx["stores"] === undefined || ctx["stores"].includes(name));
  const fused = fuse(
    lists.map(([, list]) => ({ ids: list.map(String), weight: 1 })),
    60,
  );
  const focused = documents.find(({ path }) => path === ctx["focus_event_id"]);
  const inFocus = [
    ...chunks.filter(({ path }) => path === focused?.path).map((chunk) => chunk.vector),
    ...(ctx["workspace"] ?? []).map(embed),
  ];
  const bestBm25 = Math.max(...seen.map((i) => bm25.get(i) ?? 0));
  const weights = FEATURES.map((name, i) => ctx["weights"]?.[name] ?? WEIGHTS[i]!);
  const ranked = fused.map(({ id, score: rrf }) => {
    const i = Number(id);
    const chunk = chunks[i]!;
    const document = documents.find(({ path }) => path === chunk.path)!;
    const ranks = ["fts", "vector", "tfidf", "kg"].flatMap((name) => {
      const place = lists.find(([each]) => each === name)?.[1].indexOf(i) ?? -1;
      return place < 0 ? [] : [{ name, place }];
    });
    const source = ranks.sort((a, b) => a.place - b.place)[0]!.name;
    const isLinked = focused !== undefined && linked(focused, document);
    const near = vector === null ? [] : inFocus.map((each) => cosine(chunk.vector, each));
    const [recency, person, affect, tom] = metadataFeatures(document, ctx);
    const features = [
      bm25.has(i) ? f(bm25.get(i)! / bestBm25) : 0,
      tfidf.get(i) ?? 0,
      vector === null ? 0 : cosine(chunk.vector, vector),
      recency,
      person,
      affect,
      tom,
      Math.max(isLinked ? 0.5 : 0, ...near, 0),
      lengthPenalty(chunk.tokens),
      sourcePrior(source),
      rrf,
    ];
    return { chunk, source, features, score: score(features, weights) };
  });
  ranked.sort((a, b) => b.score - a.score || byPlace(a.chunk, b.chunk));

  // SPEC §26.9
  const most: number = ctx["per_document"] ?? Number.POSITIVE_INFINITY;
  const few = ranked.filter(
    (each, i) => ranked.slice(0, i).filter(({ chunk }) => chunk.path === each.chunk.path).length < most,
  );
  const kept: ((typeof ranked)[number] & { hash: bigint; duplicates: string[] })[] = [];
  const distance: number = ctx["near_duplicates"] ?? 3;
  for (const each of few) {
    const hash = BigInt(`0x${simHash(await countTokens(searchText(each.chunk.text)))}`);
    const ones = (x: bigint): number => [...x.toString(2)].filter((bit) => bit === "1").length;
    const twin = kept.find(
      (other) => other.hash !== 0n && hash !== 0n && ones(other.hash ^ hash) <= distance,
    );
    if (distance > 0 && twin !== undefined) twin.duplicates.push(each.chunk.id);
    else kept.push({ ...each, hash, duplicates: [] });
  }
  const lambda = BigInt(Math.floor((ctx["mmr_lambda"] ?? 0.35) * 1000 + 0.5));
  const top = kept[0]?.score ?? 0;
  const relevance = kept.map(({ score: own }) =>
    top > 0 ? BigInt(Math.max(-(32767 ** 2), Math.floor((own / top) * 32767 ** 2 + 0.5))) : 0n,
  );
  const chosen: number[] = [];
  const value = (i: number): bigint => {
    const near = chosen.map((j) => BigInt(dot(kept[i]!.chunk.vector, kept[j]!.chunk.vector)));
    const most = near.length === 0 ? 0n : near.reduce((a, b) => (a > b ? a : b));
    return lambda * relevance[i]! - (1000n - lambda) * most;
  };
  while (chosen.length < Math.min(topK, kept.length)) {
    const rest = [...kept.keys()].filter((i) => !chosen.includes(i));
    chosen.push(vector === null ? rest[0]! : rest.reduce((a, b) => (value(b) > value(a) ? b : a)));
  }
  const { slope = -1.724, offset = 4.665 } = ctx["calibration"] ?? {};
  // SPEC §26.13
  const logits = new Map<number, number>();
  if (ctx["allow_cross_encoder"] === true)
    for (const i of chosen.slice(0, pairs)) logits.set(i, logit(semanticText, kept[i]!.chunk.text));
  const again = chosen.slice(0, logits.size).sort((i, j) => logits.get(j)! - logits.get(i)!);
  return [...again, ...chosen.slice(logits.size)].map((i) => ({
    id: kept[i]!.chunk.id,
    score: hex(kept[i]!.score),
    confidence: hex(confidence(kept[i]!.score, slope, offset)),
    source: kept[i]!.source,
    features: Object.fromEntries(kept[i]!.features.map((each, j) => [FEATURES[j]!, hex(each)])),
    duplicates: kept[i]!.duplicates,
    ...(logits.has(i) ? { cross_encoder: hex(logits.get(i)!) } : {}),
  }));
}
