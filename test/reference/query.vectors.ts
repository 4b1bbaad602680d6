import {
  exclusion,
  LEXICAL_BUDGET,
  match,
  parseQuery,
  STOP_WORDS,
  searchText,
  selectTerms,
} from "./query.ts";
import { nearest } from "./spelling.ts";
import { type Characters, readCharacters, readTokens } from "./words.ts";

const WORDS_128 = Array.from({ length: 128 }, (_, i) => `w${i}`);

/** The query is `text`, `times` over. */
const QUERIES: [name: string, text: string, times?: number][] = [
  ["a question", "how are ties broken?"],
  ["CFS-012, hybrid search test", "merkle tree verification"],
  ["CFS-012, exact match test", "function calculate_hyper_parameter_v7"],
  ["CFS-012, RRF example", "blockchain consensus mechanism"],
  ["Rifflux, semantic example", "cache ttl"],
  ["DocsToKG, query request", "hybrid retrieval with faiss gpu"],
  ["one phrase", '"order of results"'],
  ["phrases and terms", '"order of results" ties "total order" path'],
  ["phrase of one word", '"merkle" tree'],
  ["a term that is a phrase too", '"merkle" merkle Merkle MERKLE tree'],
  ["phrase of stop words", '"to be or not to be"'],
  ["stop words alone", "what is that?"],
  ["stop words alone, beside an exclusion", "what is that -this"],
  ["stop words beside a phrase", 'where is the "merkle root" of it'],
  ["stop words in capitals", "What IS The Merkle ROOT"],
  ["a stop word inside a term", "state-of-the-art"],
  ["excluded word", "jaguar -car"],
  ["excluded phrase", 'jaguar -"sports car"'],
  ["exclusions alone", '-car -"sports car"'],
  ["excluded and asked for", "car -car"],
  ["dashes inside words", "well-known -ill-advised"],
  ["two dashes", "--force"],
  ["a dash alone", "a - b - c"],
  ["a dash behind a quotation mark", '"a b"-c 27"-inch'],
  ["a dash before an unpaired mark", 'foo -"bar baz'],
  ["quotation marks of other shapes", "“order of results” „ties” “x"],
  ["inches are no phrase", '27" monitor 32" television'],
  ["a phrase behind a bracket", '("merkle tree")'],
  ["a phrase inside a word", 'foo"bar baz"qux'],
  ["unbalanced", 'ties "are broken'],
  ["unbalanced behind a phrase", '"ties are" "broken'],
  ["empty phrases", '"" "  " "..." x'],
  ["marks alone", '"""'],
  ["nothing", ""],
  ["white space alone", " \t\n\u3000\u00a0"],
  ["punctuation alone", "?! … — + * ^ : ( ) { } [ ] ' / \\ | ~ ` @ # $ % & ="],
  ["punctuation and an exclusion", "?? -x"],
  ["operators of FTS5", "merkle AND tree OR root NOT leaf NEAR(hash proof, 5)"],
  ["column filters, prefixes, anchors", "text:merkle {text headings}:tree ^root hash* + proof"],
  ["injection", '" OR 1=1; DROP TABLE chunks; --'],
  ["NUL", "mer\0kle tree\0"],
  ["a byte order mark", "\ufeffmerkle"],
  ["code", "a.b->c(d) std::vector<int> foo.bar.baz C++ c# $x @y"],
  ["an address", "https://example.org/a/b?c=d&e=%20f"],
  ["apostrophes", "don't can’t rock 'n' roll"],
  ["twice", "tree merkle tree root merkle"],
  ["the same words, other order and case", "ROOT Tree merkle"],
  ["twice by punctuation", "foo_bar foo-bar (foo/bar)"],
  ["digits", "3.14 1,000,000 v7 0x1F ½ ² ①"],
  ["accents", "café CAFE\u0301 naïve Ångström"],
  ["marks that do not compose", "x\u0302y \u0302z q\u0483r"],
  ["other capitals stay", "ÉCOLE ΣΊΣΥΦΟΣ İstanbul ЖУК"],
  ["Arabic and Hebrew", "السلام عليكم שלום"],
  ["Devanagari, cut at its marks", "नमस्ते दुनिया"],
  ["Thai, cut at its marks", "ภาษาไทย"],
  ["Chinese", "人工智能的历史"],
  ["Chinese, one character", "猫"],
  ["Chinese with punctuation", "东京、大阪。"],
  ["Chinese beside Latin", "iPhone手机 foo_东京_bar"],
  ["Chinese phrase", '"人工智能" 历史'],
  ["Chinese exclusion", "东京 -大阪城"],
  ["Japanese", "東京タワーの人々"],
  ["Japanese, halfwidth and a middle dot", "ｶﾀｶﾅ カタ・カナ"],
  ["Korean", "학교에서 공부"],
  ["ideographs of plane 2", "𠀀𠀁"],
  ["emoji", "🎉 party 🎉"],
  ["private use", "\ue000\uf8ff"],
  ["lines", "merkle\r\ntree\rroot\n\n"],
  ["spaces of other kinds", "merkle\u2003tree\u00a0root\u3000leaf\u2028hash\u0085proof"],
  ["zero width characters are separators", "mer\u200bkle tr\u00adee"],
  ["a lone surrogate", "mer\ud800kle"],
  ["more than 64 terms", Array.from({ length: 70 }, (_, i) => `term${i}`).join(" ")],
  ["more than 64 phrases", Array.from({ length: 70 }, (_, i) => `"phrase${i}"`).join(" ")],
  ["more than 64 exclusions", Array.from({ length: 70 }, (_, i) => `-not${i}`).join(" ")],
  [
    "a phrase of more than 128 words",
    `"${Array.from({ length: 130 }, (_, i) => `w${i % 7}`).join(" ")}" end`,
  ],
  [
    "terms of more than 128 words",
    `a_b_c_d_e_f_g_h_i_j ${Array.from({ length: 12 }, (_, i) => `k_l_m_n_o_p_q_r_s_t${i}_u`).join(" ")}`,
  ],
  [
    "a phrase and a term that are the same up to the 128th word",
    `"${WORDS_128.join(" ")} x" ${WORDS_128.join("_")}_y`,
  ],
  ["terms that are the same up to the 128th word", `${WORDS_128.join("_")}_x ${WORDS_128.join("_")}_y`],
  ["a byte order mark inside", 'tree \ufeffmerkle "\ufeffroot \ufeff hash" -\ufeffleaf'],
  ["100 KB of one word", "merkle ", 14_285],
  ["100 KB in one phrase, unclosed", '"merkle tree ', 7_692],
  ["100 KB of quotation marks", '"', 100_000],
  ["100 KB of dashes", "-", 100_000],
];

const SEARCH_TEXTS = [
  "",
  "plain text, nothing apart\n",
  "东京",
  "a东京b c 东 d\n京\n",
  "カタカナ、ひらがな。",
  "한국어 text",
  "人々〆〇",
  "𠀀x𠀁",
  "ｶﾅx",
  "ー\n ー",
];

const SELECTIONS: [terms: [string, number][], budget?: number][] = [
  [[]],
  [[["a", 0]]],
  [[["a", 100]]],
  [
    [
      ["common", 60],
      ["rare", 3],
      ["rarer", 1],
    ],
    50,
  ],
  [
    [
      ["common", 47],
      ["rare", 3],
    ],
    50,
  ],
  [
    [
      ["common", 48],
      ["rare", 3],
    ],
    50,
  ],
  [
    [
      ["common", 90],
      ["other", 80],
      ["nowhere", 0],
    ],
    50,
  ],
  [
    [
      ["b", 50],
      ["a", 50],
      ["c", 50],
    ],
    100,
  ],
  [
    [
      ["x", 7_000],
      ["y", 9_000],
      ["z", 40_000],
    ],
  ],
  [
    [
      ["x", 7_000],
      ["y", 13_000],
      ["z", 13_001],
    ],
  ],
  [
    [
      ["x", 30_000],
      ["y", 70_000],
      ["z", 70_001],
    ],
  ],
  [
    [
      ["x", 1],
      ["y", 999_998],
      ["z", 1],
    ],
    1000,
  ],
];

/** Words with the number of chunks that have them, and words that are not among them. */
const VOCABULARY: Readonly<Record<string, number>> = {
  ...{
    merkle: 30,
    merle: 30,
    merger: 4,
    mercy: 4,
    marble: 9,
    measure: 12,
    measured: 3,
    message: 40,
    massage: 2,
  },
  ...{ receive: 8, receiver: 9, relieve: 8, believe: 5, determinism: 6, deterministic: 21, café: 0, cafe: 3 },
  ...{
    naïve: 0,
    naive: 2,
    straße: 3,
    strasse: 1,
    жуки: 4,
    жучки: 4,
    𐐨𐐩𐐪𐐫: 1,
    𐐨𐐩𐐪𐐫𐐬: 2,
    form: 5,
    from: 90,
    ford: 5,
    fork: 7,
  },
};
const MISSPELLED = [
  ..."merkel merkl emrkle merklee merkles mergle messsage mesage masage massge recieve receve reciever".split(
    " ",
  ),
  ..."detreminism determinsm determnism deternimistic determinsitic dterminism dterminsm frm fomr fromm froms".split(
    " ",
  ),
  ..."cafee nave straze жуkи жукки 𐐨𐐩𐐪𐐬 𐐩𐐨𐐪𐐫 zzzz measuredd meassuredd meeassuredd".split(" "),
];

/** One word each. */
const WORDS = [
  // of every step of Porter's algorithm
  ..."caresses ponies ties caress cats feed agreed plastered bled motoring sing conflated troubled sized hopping tanned".split(
    " ",
  ),
  ..."falling hissing fizzed failing filing happy sky relational conditional rational valency hesitancy digitizer".split(
    " ",
  ),
  ..."radically differently vilely analogously vietnamization predication operator feudalism decisiveness".split(
    " ",
  ),
  ..."hopefulness callousness formality sensitivity sensibility triplicate formative formalize electricity".split(
    " ",
  ),
  ..."electrical hopeful goodness revival allowance inference airliner gyroscopic adjustable defensible irritant".split(
    " ",
  ),
  ..."replacement adjustment dependent adoption communism activate angularity homologous effective bowdlerize".split(
    " ",
  ),
  ..."probate rate cease controlling roll running generalizations".split(" "),
  // where FTS5 is not as of 1980
  ..."analogy technology technological geology assembly possibly conformably nobly bly logi ies sses s ss eed ed ing".split(
    " ",
  ),
  ..."aed aing ating bling izing ayyed ayying yyed aying eying hobbling abling".split(" "),
  // of no letters, or of others
  ..."a ab abs 7 v7 1980s 3rd ½ ² ① x٣ed Café CAFÉ naïve Ångström École ΣΊΣΥΦΟΣ İstanbul straße Œuvre ЖУКИ жуки 東 ﬁsh K".split(
    " ",
  ),
  "e\u0301te\u0301s",
  "x\u0302y\u0331ing",
  "\ue000ing",
  `${"x".repeat(61)}ing`,
  `${"x".repeat(62)}ing`,
  `a${"x".repeat(60)}ing`,
  `a${"x".repeat(61)}ing`,
  `${"é".repeat(31)}ed`,
  "日本ies",
];

/** SPEC §15. Reading the characters takes seconds: a test may hand in those that it has. */
export async function generate(characters?: Characters) {
  const tokens = await readTokens(WORDS);
  return {
    _comment:
      "cases: what a query (text, times over) is read as, its MATCH expression and that of its exclusions, null where there is none; of a long query the length (in UTF-16 units) of its semantic text only. searchText: text as it is indexed. selections: which terms (with the number of chunks that have them) are kept within the budget. spelling: of the vocabulary (words as they are held, with the number of chunks that have them), the one that is nearest to a word, null if none is near. characters: of words, and marks, as ranges of code points in hexadecimal; folds: what each of the others becomes. tokens: the bytes that FTS5 makes of a word, in hexadecimal.",
    spec: "SPEC §15",
    parameters: {
      itemsMax: 64,
      wordsMax: 128,
      lexicalBudget: LEXICAL_BUDGET,
      stopWords: STOP_WORDS,
    },
    cases: QUERIES.map(([name, text, times = 1]) => {
      const query = parseQuery(text.repeat(times));
      return {
        name,
        text: Buffer.from(text).toString(),
        times,
        ...query,
        semanticText: times === 1 ? query.semanticText : undefined,
        semanticLength: query.semanticText.length,
        match: match(query),
        exclusion: exclusion(query.excluded),
      };
    }),
    searchText: SEARCH_TEXTS.map((text) => ({ text, searchText: searchText(text) })),
    selections: SELECTIONS.map(([terms, budget = LEXICAL_BUDGET]) => ({
      terms: Object.fromEntries(terms),
      budget,
      kept: selectTerms(terms, budget),
    })),
    spelling: {
      vocabulary: VOCABULARY,
      cases: MISSPELLED.map((word) => ({
        word,
        nearest: nearest(new Map(Object.entries(VOCABULARY)), word),
      })),
    },
    characters: characters ?? (await readCharacters()),
    tokens: WORDS.map((word, i) => ({ word, token: tokens[i]! })),
  };
}
