/**
 * The texts of embedding.json. The first ones are short and unlike each other, since slow engines run only those; then
 * scripts, things that text handling must get right, and lengths up to and over the models' limits.
 */
const SHORT = [
  "The quick brown fox jumps over the lazy dog.",
  "A fast auburn fox leaps above a sleepy hound.",
  "The speedy brown fox hopped over the idle dog.",
  "Quarterly revenue at the bank fell by ten percent.",
  "",
  "Wie werden Gleichstände aufgelöst?",
  "同じ問いには、どの端末でも同じ答え。",
  "calculate_hyper_parameter_v7(x, *, eps=1e-12)",
];

const SCRIPTS = [
  "Same query, same chunks, on every device, to the bit.",
  "Où sont les neiges d'antan ? L'été s'achève déjà.",
  "El niño pidió ¿cuánto cuesta? y ¡qué caro!",
  "A tradução não é óbvia, mas o coração compreende.",
  "Perché no? Così è la vita, disse l'uomo più anziano.",
  "Smörgåsbord på ön, tack; räksmörgås åt alla.",
  "Zażółć gęślą jaźń.",
  "Příliš žluťoučký kůň úpěl ďábelské ódy.",
  "Árvíztűrő tükörfúrógép",
  "İstanbul'da ılık bir gece, çiğ düştü.",
  "Trăm năm trong cõi người ta, chữ tài chữ mệnh khéo là ghét nhau.",
  "Ὀδυσσεὺς ἐν τῇ Ἰθάκῃ· ὁ σοφός ΣΟΦΟΣ.",
  "Все счастливые семьи похожи друг на друга.",
  "Ґанок, їжак і європейський єнот.",
  "Бүх хүн төрөхдөө эрх чөлөөтэй.",
  "Բարեւ, աշխարհ։",
  "გამარჯობა, მსოფლიო!",
  "שָׁלוֹם עוֹלָם, מה שלומך?",
  "مرحبا بالعالم، كيف حالُك؟",
  "سلام دنیا! می‌خواهم بدانم.",
  "नमस्ते दुनिया, आप कैसे हैं?",
  "বাংলা ভাষা আমার মায়ের ভাষা।",
  "வணக்கம் உலகம்",
  "สวัสดีชาวโลก ภาษาไทยไม่มีช่องว่าง",
  "ሰላም ለዓለም።",
  "中文句子没有空格，标点是全角的。",
  "漢字とひらがなとカタカナ、ガギグゲゴ。",
  "안녕하세요 세계, 한국어 문장입니다.",
  "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝟙𝟚𝟛 ﬁne ligatures ＦＵＬＬ ｗｉｄｔｈ",
  "𠮷野家で𪚥を食べる",
];

const HANDLING = [
  "a",
  "?",
  "   ",
  "\t\r\n\r\n",
  "\u0000\u0001\u007f",
  "\ufefftext after a byte order mark",
  "Cafe\u0301 and Café are the same text",
  "line one  \r\nline two\t\rline three\n\n",
  "what replaces a lone surrogate \ufffd in the middle",
  "zero\u200bwidth, soft\u00adhyphen, no-break\u00a0space, ideographic\u3000space",
  "[CLS] is plain text here, and so are [SEP], [UNK] and [MASK] ##ing",
  "👩‍👩‍👧‍👦 family, 🇩🇪 flag, ☕ and 👍🏽",
  "x".repeat(100),
  "x".repeat(101),
  "https://example.org/a/b?c=d&e=%20#f and someone@example.org",
  "if (a[i] !== b[j]) { return -1; } // 0x7f, 3.14e-10",
  "€ 1.234,56 · £ 99 · ¥ 10000 · 50 % · ± 2 °C · ½ · №7",
  "…—–‘single’ “double” «guillemets» „low‟ ′prime″",
  "e\u0301\u0323\u0302\u0308 stacked marks, \u0301 alone",
  "antidisestablishmentarianism floccinaucinihilipilification",
  "# Heading\n\n- item *one*\n- item `two`\n\n> quoted",
  "ALL CAPS, MiXeD cAsE, STRASSE, ẞ and ß, Ǆ and ǆ",
];

const PARAGRAPH =
  "People who build notes, mail and chat for more than one device want the same question to find the same passages on each of them. " +
  "Embeddings that differ in their last bits, graphs that depend on the order of arrival and ties that fall as they may stand against that. ";
const MIXED = "Retrieval поиск 検索 αναζήτηση بحث खोज: the order is total, так что ничьих нет, 同点はない. ";

const LONG = [
  PARAGRAPH,
  MIXED.repeat(2),
  "the ".repeat(62), // 64 tokens, the limit of `tiny`
  "the ".repeat(63), // one more
  PARAGRAPH.repeat(3),
  "the ".repeat(254), // 256 tokens, the limit of MiniLM
  "the ".repeat(255), // one more
  PARAGRAPH.repeat(6),
  MIXED.repeat(8),
  "0123456789 ".repeat(200),
];

export const TEXTS: readonly string[] = [...SHORT, ...SCRIPTS, ...HANDLING, ...LONG];
