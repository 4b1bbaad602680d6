import { describeValue } from "../errors/describe-value.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { shortened } from "../errors/shortened.ts";
import type { Grades } from "./metrics.ts";

/** A query of an evaluation. */
export interface JudgedQuery {
  /** The id that judgements use for it. */
  readonly id: string;
  /** The query text. */
  readonly text: string;
}

/** A non-empty line, with its number from 1. */
interface Line {
  readonly number: number;
  readonly text: string;
}

/**
 * Reads the queries of an evaluation, one per line: JSON (`{"id": …, "text": …}`), or an id, a tab and the text; or
 * TREC topics (`<top> <num> … <title> …`). SPEC §19.3
 *
 * @throws {SelfsameError} BAD_JUDGEMENTS that names the line
 */
export function parseQueries(file: string): JudgedQuery[] {
  const lines = linesOf(file);
  const form = lines[0]?.text.trimStart()[0];
  const queries =
    form === "<"
      ? topics(lines)
      : lines.map((line) => (form === "{" ? queryOfJson(line) : queryOfTabs(line)));
  const seen = new Set<string>();
  for (const { id, line } of queries) {
    if (seen.has(id)) throw refusal(line, "each query id once", id);
    seen.add(id);
  }
  return queries.map(({ id, text }) => ({ id, text }));
}

/**
 * Reads judgements, one per line: JSON (`{"query": …, "doc": …, "relevance": …}`), TREC's four columns (query,
 * iteration, document, grade), or BEIR's three columns with their header line. SPEC §19.3
 *
 * @returns grades by document, by query
 * @throws {SelfsameError} BAD_JUDGEMENTS that names the line
 */
export function parseJudgements(file: string): Map<string, Grades> {
  const lines = linesOf(file);
  const isJson = lines[0]?.text.trimStart()[0] === "{";
  const isBeir = lines[0] !== undefined && /^query-id\tcorpus-id\tscore$/.test(lines[0].text);
  const judgements = new Map<string, Map<string, number>>();
  for (const line of isBeir ? lines.slice(1) : lines) {
    const [query, document, grade] = isJson ? judgementOfJson(line) : judgementOfColumns(line, isBeir);
    const grades = judgements.get(query) ?? new Map<string, number>();
    if (grades.has(document)) throw refusal(line, "each judgement once", `${query} ${document}`);
    judgements.set(query, grades.set(document, grade));
  }
  return judgements;
}

function linesOf(file: string): Line[] {
  if (typeof file !== "string")
    throw new SelfsameError("BAD_ARGUMENT", `expected the text of a file, got ${describeValue(file)}`);
  const lines = (file.startsWith("\ufeff") ? file.slice(1) : file).split("\n");
  return lines
    .map((text, index) => ({ number: index + 1, text: text.endsWith("\r") ? text.slice(0, -1) : text }))
    .filter(({ text }) => /[^ \t]/.test(text));
}

type LinedQuery = JudgedQuery & { readonly line: Line };

function queryOfJson(line: Line): LinedQuery {
  const object = objectOf(line);
  return { id: name(line, object, ["id", "_id", "qid"]), text: name(line, object, ["text", "query"]), line };
}

function queryOfTabs(line: Line): LinedQuery {
  const tab = line.text.indexOf("\t");
  const [id, text] = [line.text.slice(0, tab).trim(), line.text.slice(tab + 1).trim()];
  if (tab === -1 || id === "" || text === "") throw refusal(line, "an id, a tab and a text", line.text);
  return { id, text, line };
}

/** Reads TREC topics: `<num>` and `<title>` of each `<top>`. Other fields (`<desc>`, `<narr>`) are ignored. */
function topics(lines: readonly Line[]): LinedQuery[] {
  const queries: LinedQuery[] = [];
  let id = "";
  let title: string[] = [];
  let isInTitle = false;
  let top: Line | null = null;
  for (const line of lines) {
    const [, tag, rest = ""] = /^\s*<(\/?[a-zA-Z]+)>(.*)$/.exec(line.text) ?? [null, "", line.text];
    if (tag !== "") isInTitle = tag === "title";
    if (tag === "top") [top, id, title] = [line, "", []];
    if (tag === "num") id = rest.replace(/^\s*Number:/, "").trim();
    if (isInTitle) title.push(rest.replace(/<\/title>\s*$/, "").trim());
    if (tag !== "/top") continue;
    const text = title.filter((part) => part !== "").join(" ");
    if (top === null || id === "" || text === "")
      throw refusal(line, "<num> and <title> before it", line.text);
    queries.push({ id, text, line: top });
    top = null;
  }
  if (top !== null) throw refusal(top, "a </top> after it", "none");
  return queries;
}

type Judgement = [query: string, document: string, grade: number];

function judgementOfJson(line: Line): Judgement {
  const object = objectOf(line);
  const grade = object["relevance"] ?? object["score"] ?? object["grade"];
  return [
    name(line, object, ["query", "query-id", "qid"]),
    name(line, object, ["doc", "corpus-id", "docid"]),
    gradeOf(line, typeof grade === "number" ? String(grade) : ""),
  ];
}

/** A document's name may contain spaces: it is everything between the columns before and after it. */
function judgementOfColumns(line: Line, isBeir: boolean): Judgement {
  const columns = (
    isBeir ? /^([^\t]+)\t([^\t]+)\t([^\t]+)$/ : /^\s*(\S+)\s+\S+\s+(\S|\S.*\S)\s+(\S+)\s*$/
  ).exec(line.text);
  if (columns === null) {
    const form = isBeir ? "a query, a document and a grade" : "a query, a column, a document and a grade";
    throw refusal(line, form, line.text);
  }
  return [columns[1]!, columns[2]!, gradeOf(line, columns[3]!)];
}

function gradeOf(line: Line, text: string): number {
  if (/^[+-]?[0-9]{1,9}$/.test(text)) return Number(text);
  throw refusal(line, "a whole number as grade", text === "" ? line.text : text);
}

function objectOf(line: Line): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    value = null;
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw refusal(line, "an object in JSON", line.text);
}

/** Returns the first of the fields that is present, as a string. */
function name(line: Line, object: Record<string, unknown>, fields: readonly string[]): string {
  const value = fields.map((field) => object[field]).find((each) => each !== undefined);
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text === "string" && text.trim() !== "") return text;
  throw refusal(line, `a string in ${fields.map((field) => JSON.stringify(field)).join(" or ")}`, line.text);
}

function refusal(line: Line, what: string, got: string): SelfsameError {
  return new SelfsameError(
    "BAD_JUDGEMENTS",
    `expected ${what} in line ${line.number}, got ${JSON.stringify(shortened(got, 80))}`,
    "See SPEC §19.3 for the forms that are read",
    { details: { line: line.number } },
  );
}
