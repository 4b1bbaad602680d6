/**
 * Tests for what a line of Markdown can start. Every test gets the position of the first byte that is neither space nor
 * tab (`at`) and the line's end, and reads only ASCII. Lines have no white space at their end. SPEC §11.4
 */

const SPACE = 0x20;
const TAB = 0x09;
const HASH = 0x23;
const STAR = 0x2a;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const UNDERSCORE = 0x5f;
const BACKTICK = 0x60;
const PIPE = 0x7c;
const TILDE = 0x7e;
const PAREN = 0x29;

const TAB_STOP = 4;
const HEADING_LEVEL_MAX = 6;
const ORDINAL_DIGITS_MAX = 9;

const isBlank = (byte: number): boolean => byte === SPACE || byte === TAB;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;

/** Returns the position of the first byte of `[start, end)` that is neither space nor tab. */
export function skipBlanks(text: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(text[at]!)) at++;
  return at;
}

/** Returns the column of `at`, if `start` is in `column`. A tab goes to the next multiple of 4. */
export function columnOf(text: Uint8Array, start: number, at: number, column = 0): number {
  let found = column;
  for (let i = start; i < at; i++) found += text[i] === TAB ? TAB_STOP - (found % TAB_STOP) : 1;
  return found;
}

/** Returns 1 to 6 for `#` to `######` followed by a blank or nothing, else 0. */
export function headingLevel(text: Uint8Array, at: number, end: number): number {
  let level = 0;
  while (at + level < end && text[at + level] === HASH) if (++level > HEADING_LEVEL_MAX) return 0;
  return level > 0 && (at + level === end || isBlank(text[at + level]!)) ? level : 0;
}

/** Returns the title of such a heading, without blanks around it and without closing `#`s. */
export function headingTitle(text: Uint8Array, at: number, end: number, level: number): Uint8Array {
  const start = skipBlanks(text, at + level, end);
  let close = end;
  while (close > start && text[close - 1] === HASH) close--;
  if (close === start) return text.subarray(start, start);
  if (close === end || !isBlank(text[close - 1]!)) return text.subarray(start, end);
  while (isBlank(text[close - 1]!)) close--;
  return text.subarray(start, close);
}

/**
 * Returns 1 for a line of `=`, 2 for a line of `-`, else 0. Such a line below a paragraph makes the paragraph a
 * heading.
 */
export function underlineLevel(text: Uint8Array, at: number, end: number): number {
  const mark = text[at]!;
  if (mark !== EQUALS && mark !== MINUS) return 0;
  for (let i = at + 1; i < end; i++) if (text[i] !== mark) return 0;
  return mark === EQUALS ? 1 : 2;
}

/** Returns whether the line is three or more of one of `*`, `-`, `_`, with only blanks between them. */
export function isThematicBreak(text: Uint8Array, at: number, end: number): boolean {
  const mark = text[at]!;
  if (mark !== STAR && mark !== MINUS && mark !== UNDERSCORE) return false;
  let count = 0;
  for (let i = at; i < end; i++) {
    if (text[i] === mark) count++;
    else if (!isBlank(text[i]!)) return false;
  }
  return count >= 3;
}

/** Returns the number of backticks or tildes that open a fence, or 0 if the line opens none. */
export function fenceLength(text: Uint8Array, at: number, end: number): number {
  const mark = text[at]!;
  if (mark !== BACKTICK && mark !== TILDE) return 0;
  let i = at;
  while (i < end && text[i] === mark) i++;
  const length = i - at;
  if (length < 3) return 0;
  // Another backtick after them would make it inline code.
  if (mark === BACKTICK) for (; i < end; i++) if (text[i] === BACKTICK) return 0;
  return length;
}

/** Returns whether the line closes a fence of `length` `mark`s. */
export function closesFence(
  text: Uint8Array,
  at: number,
  end: number,
  mark: number,
  length: number,
): boolean {
  let i = at;
  while (i < end && text[i] === mark) i++;
  return i === end && i - at >= length;
}

/** Returns the end of a list item's marker (`-`, `+`, `*`, `1.`, `1)`, up to 9 digits), or `at` if there is none. */
export function itemMarkerEnd(text: Uint8Array, at: number, end: number): number {
  const first = text[at]!;
  let i = at;
  if (first === MINUS || first === PLUS || first === STAR) i++;
  else if (isDigit(first)) {
    while (i < end && isDigit(text[i]!)) if (++i - at > ORDINAL_DIGITS_MAX) return at;
    if (i === end || (text[i] !== DOT && text[i] !== PAREN)) return at;
    i++;
  } else return at;
  return i === end || isBlank(text[i]!) ? i : at;
}

/** Returns the column where the content of an item starts: lines indented at least that far belong to the item. */
export function itemContentColumn(text: Uint8Array, markerEnd: number, end: number, column: number): number {
  const content = skipBlanks(text, markerEnd, end);
  const contentColumn = columnOf(text, markerEnd, content, column);
  // Content that is five or more columns away is indented code that starts one column away.
  return content === end || contentColumn - column > TAB_STOP ? column + 1 : contentColumn;
}

/** Returns whether the line is a row like `| --- | :-: |`, which makes the line above it the head of a table. */
export function isDelimiterRow(text: Uint8Array, at: number, end: number): boolean {
  let pipes = 0;
  let dashes = 0;
  for (let i = at; i < end; i++) {
    const byte = text[i]!;
    if (byte === PIPE) pipes++;
    else if (byte === MINUS) dashes++;
    else if (byte !== COLON && !isBlank(byte)) return false;
  }
  return pipes > 0 && dashes > 0;
}

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** Markup that continues over empty lines: its start, and what ends it. */
const SPANS: readonly (readonly [begin: Uint8Array, isName: boolean, ends: readonly Uint8Array[]])[] = [
  ...["script", "pre", "style", "textarea"].map(
    (name) =>
      [ascii(`<${name}`), true, ["</script>", "</pre>", "</style>", "</textarea>"].map(ascii)] as const,
  ),
  [ascii("<!--"), false, [ascii("-->")]],
  [ascii("<?"), false, [ascii("?>")]],
  [ascii("<![cdata["), false, [ascii("]]>")]],
];

/** Elements of CommonMark's sixth kind of HTML block, which an empty line ends. */
const ELEMENTS: ReadonlySet<string> = new Set(
  (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt " +
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link " +
    "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead " +
    "title tr track ul"
  ).split(" "),
);
const ELEMENT_NAME_MAX = 10;

/** Returns what ends the markup that the line starts: an empty list if an empty line does, null if it starts none. */
export function markupEnds(text: Uint8Array, at: number, end: number): readonly Uint8Array[] | null {
  if (text[at] !== LESS) return null;
  for (const [begin, isName, ends] of SPANS) {
    if (!matches(text, at, end, begin)) continue;
    const after = at + begin.length;
    if (!isName || after === end || isBlank(text[after]!) || text[after] === GREATER) return ends;
  }
  return isElement(text, at, end) ? [] : null;
}

/** Returns whether one of `ends` occurs in the line. */
export function hasMarkupEnd(
  text: Uint8Array,
  start: number,
  end: number,
  ends: readonly Uint8Array[],
): boolean {
  // All of them end in ">". The loop stays within the line: searching beyond it would make the total cost quadratic.
  for (let i = start; i < end; i++) {
    if (text[i] !== GREATER) continue;
    for (const mark of ends) {
      const from = i + 1 - mark.length;
      if (from >= start && matches(text, from, end, mark)) return true;
    }
  }
  return false;
}

/** Matches `<name` or `</name`, followed by a blank, `>`, `/>` or nothing. */
function isElement(text: Uint8Array, at: number, end: number): boolean {
  const start = text[at + 1] === SLASH ? at + 2 : at + 1;
  let name = "";
  let i = start;
  while (i < end && i - start <= ELEMENT_NAME_MAX && (isLetter(text[i]!) || isDigit(text[i]!)))
    name += String.fromCharCode(text[i++]! | 0x20);
  if (!ELEMENTS.has(name)) return false;
  if (i === end || isBlank(text[i]!) || text[i] === GREATER) return true;
  return text[i] === SLASH && text[i + 1] === GREATER;
}

/** Compares letters case-insensitively. */
function matches(text: Uint8Array, at: number, end: number, lower: Uint8Array): boolean {
  if (at + lower.length > end) return false;
  for (let i = 0; i < lower.length; i++) {
    const byte = text[at + i]!;
    if ((isLetter(byte) ? byte | 0x20 : byte) !== lower[i]) return false;
  }
  return true;
}
