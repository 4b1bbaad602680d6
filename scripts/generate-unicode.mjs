// Writes assembly/text/tables.generated.ts from Unicode 17.0.0: `node scripts/generate-unicode.mjs`.
// `--check` compares instead and fails on a difference. Layout and use: assembly/text/character.ts.
import { readFileSync, writeFileSync } from "node:fs";
import { CODE_POINTS, properties } from "./unicode/properties.mjs";

const {
  combiningClass,
  decomposition,
  fullExclusions,
  lower,
  nonspacingMark,
  other,
  punctuation,
  whiteSpace,
} = properties;

// Flags of a character; assembly/text/character.ts names the same bits.
const DROP = 1;
const SPACE = 2;
const PUNCTUATION = 4;
const IDEOGRAPH = 8;
const NONSPACING = 16;
const DECOMPOSES = 32;
const NFC_CHECK = 64;

const HANGUL = { first: 0xac00, last: 0xd7a3, vowels: [0x1161, 0x1175], tails: [0x11a8, 0x11c2] };
const IDEOGRAPHS = [
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b73f],
  [0x2b740, 0x2b81f],
  [0x2b920, 0x2ceaf],
  [0x2f800, 0x2fa1f],
];

const within = (c, [first, last]) => c >= first && c <= last;
const ccc = (c) => combiningClass.get(c) ?? 0;
const utf8Length = (c) => (c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
const isAsciiPunctuation = (c) => c > 0x20 && c < 0x7f && !/[0-9A-Za-z]/.test(String.fromCharCode(c));

function must(truth, what, c) {
  if (!truth)
    throw new Error(`Unicode data breaks an assumption of assembly/text/: ${what}, U+${c.toString(16)}`);
}

const decomposed = (c) => (decomposition.has(c) ? decomposition.get(c).flatMap(decomposed) : [c]);

/** Primary composites: [first, second, composite]; Hangul apart. */
const pairs = [...decomposition]
  .filter(([c, to]) => to.length === 2 && !fullExclusions.has(c))
  .map(([c, [first, second]]) => [first, second, c]);
const composesBackward = new Set(pairs.map(([, second]) => second));

function flagsOf(c) {
  const isHangul = within(c, [HANGUL.first, HANGUL.last]);
  const isJamo = within(c, HANGUL.vowels) || within(c, HANGUL.tails);
  let flags = 0;
  const isKept = c === 0x09 || c === 0x0a || c === 0x0d;
  if ((other.has(c) && !isKept) || c === 0xfffd) flags |= DROP;
  if (whiteSpace.has(c)) flags |= SPACE;
  if (punctuation.has(c) || isAsciiPunctuation(c)) flags |= PUNCTUATION;
  if (IDEOGRAPHS.some((range) => within(c, range))) flags |= IDEOGRAPH;
  if (nonspacingMark.has(c)) flags |= NONSPACING;
  if (decomposition.has(c) || isHangul) flags |= DECOMPOSES;
  // A composite may itself begin with a character that composes backward: U+113C5 and its like, since Unicode 16.
  if (fullExclusions.has(c) || composesBackward.has(decomposed(c)[0]) || isJamo) flags |= NFC_CHECK;
  return flags;
}

/** What the kernels take for granted about the data, checked here once for the pinned version. */
function checkAssumptions(c, flags) {
  const parts = decomposed(c);
  const last = parts.at(-1);
  if (ccc(c) === 0 && !(flags & NFC_CHECK))
    must(ccc(parts[0]) === 0 && !composesBackward.has(parts[0]), "a boundary starts with a boundary", c);
  if (ccc(c) !== 0)
    must(
      !(flags & (DROP | SPACE | PUNCTUATION | IDEOGRAPH)) && !lower.has(c),
      "a nonstarter is only a mark",
      c,
    );
  must(parts.length <= 4, "a decomposition has at most 4 code points", c);
  const bytes = parts.reduce((sum, part) => sum + utf8Length(part), 0);
  must(bytes <= 3 * utf8Length(c), "NFD is at most 3 times as long", c);
  for (const part of parts) {
    must(
      (lower.get(part) ?? [part]).length === 1,
      "what is left after NFD has a lower case of one code point",
      c,
    );
    must(parts.length === 1 || !(flagsOf(part) & (SPACE | DROP)), "no mapping makes spaces or controls", c);
  }
  const places = parts.flatMap((part, i) => (flagsOf(part) & PUNCTUATION ? [i] : []));
  must(
    places.length === 0 ||
      (places.join() === "0" && parts.slice(1).every((part) => nonspacingMark.has(part))),
    "punctuation comes first in a decomposition, with only nonspacing marks behind it",
    c,
  );
  if (flags & IDEOGRAPH) must(parts.length === 1 && !lower.has(parts[0]), "an ideograph is one character", c);
  must(
    parts.length > 1 || last === c || whiteSpace.has(c) === whiteSpace.has(last),
    "singletons keep spaces",
    c,
  );
}

/** Splits `values` into blocks, keeps each distinct block once: value(c) = leaves[(index[c >> shift] << shift) + c & mask]. */
function trie(values, shift) {
  const size = 1 << shift;
  const seen = new Map();
  const index = [];
  const leaves = [];
  for (let at = 0; at < values.length; at += size) {
    const block = values.slice(at, at + size);
    const key = block.join();
    if (!seen.has(key)) {
      seen.set(key, seen.size);
      leaves.push(...block);
    }
    index.push(seen.get(key));
  }
  return { index, leaves, blocks: seen.size };
}

// Characters: code point → record number → flags, combining class, distance to the lower case.
const records = new Map();
const recordOf = new Array(CODE_POINTS);
for (let c = 0; c < CODE_POINTS; c++) {
  const flags = flagsOf(c);
  checkAssumptions(c, flags);
  const toLower = lower.get(c)?.length === 1 ? lower.get(c)[0] - c : 0;
  const key = `${flags},${ccc(c)},${toLower}`;
  if (!records.has(key)) records.set(key, [flags | (ccc(c) << 8), toLower]);
  recordOf[c] = key;
}
const numberOf = new Map([...records.keys()].map((key, i) => [key, i]));
must(numberOf.size <= 256, `record numbers fit a byte (${numberOf.size})`, 0);
const characters = trie(
  recordOf.map((key) => numberOf.get(key)),
  7,
);

// Decompositions: code point → start << 2 | length − 1 of a list of code point | class << 24. Zero is none.
const parts = [0];
const decompositionOf = new Array(0x30000).fill(0);
const startOf = new Map();
for (const c of decomposition.keys()) {
  must(c < 0x30000, "decompositions end before U+30000", c);
  const list = decomposed(c).map((part) => part | (ccc(part) << 24));
  const key = list.join();
  if (!startOf.has(key)) {
    startOf.set(key, parts.length);
    parts.push(...list);
  }
  decompositionOf[c] = (startOf.get(key) << 2) | (list.length - 1);
}
must(parts.length < 1 << 14, "starts fit 14 bits", 0);
const decompositions = trie(decompositionOf, 5);

// Compositions: open addressing on the pair; assembly/text/normalise.ts has the same hash.
const SLOTS = 2048;
const slots = new Array(SLOTS * 3).fill(0);
for (const [first, second, composite] of pairs.sort((a, b) => a[2] - b[2])) {
  let slot = (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> 21;
  while (slots[slot * 3] !== 0) slot = (slot + 1) % SLOTS;
  slots.splice(slot * 3, 3, first, second, composite);
}

const tables = [
  ["CHARACTER_INDEX", characters.blocks <= 256 ? "u8" : "u16", characters.index],
  ["CHARACTER_LEAVES", "u8", characters.leaves],
  ["RECORD_FLAGS", "u16", [...records.values()].map(([flags]) => flags)],
  ["RECORD_TO_LOWER", "i32", [...records.values()].map(([, toLower]) => toLower)],
  ["DECOMPOSITION_INDEX", decompositions.blocks <= 256 ? "u8" : "u16", decompositions.index],
  ["DECOMPOSITION_LEAVES", "u16", decompositions.leaves],
  ["DECOMPOSITION_PARTS", "u32", parts],
  ["COMPOSITION_SLOTS", "u32", slots],
];
const WIDTH = { u8: 1, u16: 2, u32: 4, i32: 4 };
const bytes = tables.reduce((sum, [, type, values]) => sum + values.length * WIDTH[type], 0);
must(bytes <= 200 * 1024, `tables fit 200 KB (${bytes})`, 0);

function lines(values) {
  const out = [];
  for (let at = 0; at < values.length; at += 32) out.push(`  ${values.slice(at, at + 32).join(",")},`);
  return out.join("\n");
}
const source = `// Unicode 17.0.0, ${bytes} bytes. Written by scripts/generate-unicode.mjs; do not edit. SPEC §5.2
// Data: Copyright © 1991-2025 Unicode, Inc., Unicode License v3.
${tables
  .map(
    ([name, type, values]) =>
      `\n// ${values.length} × ${type}\nexport const ${name} = memory.data<${type}>([\n${lines(values)}\n]);`,
  )
  .join("\n")}
`;

const target = new URL("../assembly/text/tables.generated.ts", import.meta.url);
if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== source) {
    process.stderr.write(
      "assembly/text/tables.generated.ts is not what scripts/generate-unicode.mjs writes\n",
    );
    process.exit(1);
  }
} else writeFileSync(target, source);
process.stdout.write(
  `${bytes} bytes: ${tables.map(([name, type, values]) => `${name} ${values.length * WIDTH[type]}`).join(", ")}; ${numberOf.size} records, ${pairs.length} pairs\n`,
);
