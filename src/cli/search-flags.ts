/** The flags of `selfsame search` that control the search, one for each parameter of the table. */
import { InvalidArgumentError, Option } from "commander";
import {
  checkFilterText,
  type Filters,
  type FilterText,
  type GroupParameter,
  parameterWords,
  type Scalar,
  SEARCH_PARAMETERS,
  type SearchParameter,
  type SearchParameters,
} from "../index.ts";
import { checked, collectChecked, numberFrom, wholeNumberFrom } from "./options.ts";
import { UsageError } from "./usage-error.ts";
import { checkNotEmpty } from "./value-checks.ts";

/** A flag, and the path of its value among the parameters, such as `["filters", "path"]`. */
interface SearchFlag {
  readonly place: readonly [name: string, field?: string];
  readonly option: Option;
}

/** Commander's result: values by flag name. */
export type SearchFlagValues = Readonly<Record<string, unknown>>;

/** Returns the options, in the table's order. */
export function searchOptions(): Option[] {
  return FLAGS.map(({ option }) => option);
}

/** Returns the parameters that the flags set. */
export function parametersOfFlags(values: SearchFlagValues): SearchParameters {
  const parameters: Record<string, unknown> = {};
  for (const { place, option } of FLAGS) {
    const value = values[option.attributeName()];
    // Commander gives true for a --no- flag that was not given: that would override a preset.
    if (value === undefined || (option.negate && value === true)) continue;
    const [name, field] = place;
    const group = typeof parameters[name] === "object" ? parameters[name] : {}; // --diversify --lambda 0.5
    parameters[name] = field === undefined ? value : { ...group, [field]: value };
  }
  return parameters as SearchParameters;
}

const FLAGS: readonly SearchFlag[] = Object.entries<SearchParameter>(SEARCH_PARAMETERS).flatMap(
  ([name, row]) => [
    ...flagOf([name], row),
    ...(row.kind === "group"
      ? Object.entries(row.fields).flatMap(([field, each]) => flagOf([name, field], each))
      : []),
  ],
);

function flagOf(place: SearchFlag["place"], row: SearchParameter): SearchFlag[] {
  if (row.flag === undefined) return [];
  const option = new Option(row.flag, helpOf(row));
  if (row.kind === "choice") option.choices(row.choices);
  else readWith(option, place, row);
  if (row.conflicts !== undefined) option.conflicts(row.conflicts);
  return [{ place, option }];
}

function readWith(option: Option, place: SearchFlag["place"], row: SearchParameter): void {
  const flag = option.long!;
  const [name, field] = place;
  const check = (text: string, called: string) => checkFilterText(field as FilterText, text, called);
  if (row.kind === "number")
    option.argParser((row.isWhole ? wholeNumberFrom : numberFrom)(row.minimum, row.maximum));
  if (row.kind === "texts") option.argParser(collectChecked(flag, check, row.maximum));
  if (row.kind === "date") option.argParser(checked(flag, check));
  if (row.kind === "text" && name === "filters") option.argParser(checked(flag, checkNotEmpty));
  if (row.kind === "metadata") option.argParser(collectMetadata);
  if (row.kind === "group" && !row.orFlag) option.argParser((text) => numbersOf(row, text));
  if (row.kind === "vector" || row.kind === "sparse") option.argParser((text) => jsonOf(flag, text));
}

function helpOf(row: SearchParameter): string {
  const { says, byDefault } = parameterWords(row, (name) => flagWord(name as keyof SearchParameters));
  const repeated = row.kind === "texts" || row.kind === "metadata" ? "; may be repeated" : "";
  const help = `${row.flag!.startsWith("--no-") ? "do not " : ""}${says[0]!.toLowerCase()}${says.slice(1)}${repeated}`;
  return byDefault === null || row.flag!.startsWith("--no-") ? help : `${help} (default: ${byDefault})`;
}

function flagWord(name: keyof SearchParameters): string {
  return SEARCH_PARAMETERS[name].flag!.split(" ")[0]!;
}

/** The first fields of a group, which cannot be left out. */
const NUMBERS_MIN = 2;

/** Returns the first fields of a group, in order, from a text such as `1,0.5`. */
function numbersOf({ fields }: GroupParameter, text: string): Record<string, number> {
  const names = Object.keys(fields);
  const rows = Object.values(fields);
  const parts = text.split(",");
  const [first] = rows;
  if (first?.kind !== "number" || parts.length < NUMBERS_MIN || parts.length > names.length)
    throw new InvalidArgumentError(`Expected ${NUMBERS_MIN} to ${names.length} numbers, such as 1,0.5.`);
  const read = numberFrom(first.minimum, first.maximum);
  return Object.fromEntries(parts.map((part, i) => [names[i]!, read(part)]));
}

/** Returns the value of a JSON text; the library checks it. */
function jsonOf(flag: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(
      `expected ${flag} to be JSON, got ${JSON.stringify(text.slice(0, 40))}`,
      'Such as --vector "$(cat vector.json)", or --sparse \'{"terms": ["restore"], "weights": [0.24]}\'',
      { cause },
    );
  }
}

/**
 * Adds `key=value`. Repeating a key adds an alternative. A value that reads as a number, true, false or null matches
 * both that value and the same text, because they look alike on a command line.
 */
function collectMetadata(text: string, before: Filters["metadata"] = {}): Filters["metadata"] {
  const at = text.indexOf("=");
  if (at < 1)
    throw new UsageError(
      `expected --metadata to be key=value, got ${JSON.stringify(text)}`,
      "For example: --metadata lang=en",
    );
  const [key, value] = [text.slice(0, at), text.slice(at + 1)];
  const known = Object.hasOwn(before, key) ? (before[key] as readonly Scalar[]) : [];
  return { ...before, [key]: [...known, ...readings(value)] };
}

function readings(text: string): Scalar[] {
  if (!/^(true|false|null|-?[0-9.]+([eE][+-]?[0-9]+)?)$/.test(text)) return [text];
  try {
    return [JSON.parse(text) as Scalar, text];
  } catch {
    return [text]; // such as 1.2.3
  }
}
