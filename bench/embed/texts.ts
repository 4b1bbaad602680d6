// Real texts for the embedding benchmarks, drawn from the documentation of packages that are installed with the
// project: the same install gives the same texts.
import { join } from "node:path";
import { packageParagraphs } from "../prose/documents.ts";
import { isEnglish, sentences } from "../prose/sentences.ts";
import type { Sample } from "./peers.ts";

const INSTALLED = join(import.meta.dirname, "../../node_modules");
const PEERS = join(import.meta.dirname, "../peers/embed/node_modules");
const LIMIT = 256; // tokens, of the model

type Tokenizer = (text: string) => number[];

const ENGLISH: [root: string, name: string, files: RegExp][] = [
  [INSTALLED, "typescript", /^lib\/lib\.(dom|es5|es2015\.core|webworker)\.d\.ts$/],
  [INSTALLED, "@types/node", /\.d\.ts$/],
  [INSTALLED, "assemblyscript", /\.(md|d\.ts)$/],
  [INSTALLED, "commander", /(^Readme\.md|\.d\.ts)$/],
  [INSTALLED, "fast-check", /(^README\.md|\.d\.ts)$/],
  [INSTALLED, "magic-string", /^README\.md$/],
  [INSTALLED, "picomatch", /^README\.md$/],
  [INSTALLED, "vite", /(LICENSE\.md|\.d\.ts)$/],
  [INSTALLED, "vitest", /\.d\.ts$/],
  [PEERS, "@xenova/transformers", /\.(md|d\.ts)$/],
  [PEERS, "onnxruntime-common", /\.(md|d\.ts)$/],
  [PEERS, "protobufjs", /\.(md|d\.ts)$/],
];

/** Translations: README.<language>.md in Hindi, Japanese, Korean, Ukrainian, Russian, Chinese and Latin scripts. */
const TRANSLATED = [INSTALLED, "@biomejs/biome", /^README\.[\w-]+\.md$/] as const;

/** The first article of the Universal Declaration, in scripts that no installed package is documented in. */
const DECLARATION = [
  "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
  "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق.",
  "כל בני אדם נולדו בני חורין ושווים בערכם ובזכויותיהם.",
  "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",
  "Բոլոր մարդիկ ծնվում են ազատ ու հավասար իրենց արժանապատվությամբ ու իրավունքներով։",
  "ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით.",
  "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi.",
  "Allir menn eru bornir frjálsir og jafnir öðrum að virðingu og réttindum.",
  "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw.",
  "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar.",
];

/** `count` items spread evenly over a list. */
function spread<T>(list: T[], count: number): T[] {
  const take = Math.min(count, list.length);
  return Array.from({ length: take }, (_, i) => list[Math.floor((i * list.length) / take)]!);
}

function documents(): string[][] {
  return ENGLISH.flatMap(([root, name, files]) => packageParagraphs(join(root, name), files)).filter(
    (d) => d.length > 0,
  );
}

/** A sentence, a paragraph, or neighbouring paragraphs of one file: what a chunk of a document looks like. */
function pieces(document: string[]): string[] {
  const english = document.filter(isEnglish);
  const runs = Array.from({ length: Math.ceil(english.length / 6) }, (_, i) =>
    english.slice(i * 6, i * 6 + 2 + (i % 5)).join("\n\n"),
  );
  return [...english.flatMap(sentences), ...english, ...runs];
}

const LENGTHS = [8, 16, 32, 64, 128, LIMIT]; // upper ends of the classes of length
const PER_LENGTH = 90;

/** At least 500 distinct texts of 3 to 256 tokens, as many of each class of length, and others in many scripts. */
export function fidelitySamples(tokenize: Tokenizer): Sample[] {
  const samples = (texts: Iterable<string>) =>
    Array.from(new Set(texts), (text): Sample => ({ text, ids: tokenize(text) })).filter(
      ({ ids }) => ids.length >= 3 && ids.length <= LIMIT,
    );
  const english = samples(documents().flatMap((document) => spread(pieces(document), 90)));
  const byLength = LENGTHS.flatMap((high, i) =>
    spread(
      english.filter(({ ids }) => ids.length <= high && ids.length > (LENGTHS[i - 1] ?? 2)),
      PER_LENGTH,
    ),
  );
  const [root, name, files] = TRANSLATED;
  const translated = samples(
    packageParagraphs(join(root, name), files).flatMap((d) =>
      spread(
        d.filter((p) => p.length > 20),
        8,
      ),
    ),
  );
  const all = [...byLength, ...translated, ...samples(DECLARATION)];
  if (all.length < 500) throw new Error(`expected at least 500 texts, got ${all.length}`);
  return all;
}

/** `count` English texts of exactly `tokens` tokens: whole words from somewhere in a document, specials counted. */
export function samplesOfLength(tokenize: Tokenizer, tokens: number, count: number): Sample[] {
  const found: Sample[] = [];
  for (const document of spread(
    documents().filter((d) => d.join(" ").length > 8 * LIMIT),
    40,
  )) {
    const words = document.filter(isEnglish).join(" ").split(" ");
    const sample = cut(tokenize, words, tokens);
    if (sample !== undefined) found.push(sample);
    if (found.length === count) return found;
  }
  throw new Error(`expected ${count} texts of ${tokens} tokens, found ${found.length}`);
}

function cut(tokenize: Tokenizer, words: string[], tokens: number): Sample | undefined {
  for (let from = 0; from < Math.min(words.length, 20); from++) {
    for (let to = from + Math.ceil(tokens / 3); to <= words.length; to++) {
      const text = words.slice(from, to).join(" ");
      const ids = tokenize(text);
      if (ids.length === tokens) return { text, ids };
      if (ids.length > tokens) break;
    }
  }
  return undefined;
}
