/** Options shared by several commands, and the end of each command's help. */
import { Command, InvalidArgumentError, Option } from "commander";
import { SelfsameError } from "../errors/index.ts";
import { type CommandName, DESCRIPTIONS } from "./command-descriptions.ts";
import { UsageError } from "./usage-error.ts";
import {
  checkCrossEncoder,
  checkModel,
  checkNotEmpty,
  checkPattern,
  type ValueCheck,
} from "./value-checks.ts";

export function commandNamed(name: CommandName): Command {
  return new Command(name)
    .description(DESCRIPTIONS[name])
    .showHelpAfterError(`(selfsame ${name} --help shows its options)`);
}

export const buildOption = () =>
  new Option("--build <build>", "the engine build to use; all give the same bits")
    .choices(["auto", "simd", "soft", "scalar"])
    .default("auto");

export const modelOption = (byDefault: string) =>
  new Option(
    "--model <name>",
    `a model by name (see models/), or the URL of a manifest (default: ${byDefault})`,
  ).argParser(checked("--model", checkModel));

export const crossEncoderOption = () =>
  new Option(
    "--cross-encoder <name>",
    "a cross-encoder that ranks the first memories again: a name (see models/), or the URL of a manifest",
  ).argParser(checked("--cross-encoder", checkCrossEncoder));

export const jsonOption = () =>
  new Option("--json", "print one JSON document to standard output, and nothing else");

export const dbOption = () =>
  new Option(
    "--db <file>",
    "the library (default: .selfsame/library.db in this folder or a parent folder)",
  ).argParser(checked("--db", checkNotEmpty));

export const dataOption = () =>
  new Option("--data <folder>", "the folder of the namespaces, made if it is missing")
    .default(".selfsame/data")
    .argParser(checked("--data", checkNotEmpty));

export const includeOption = () =>
  new Option(
    "--include <pattern>",
    'only files that match, such as "docs/**/*.md"; may be repeated',
  ).argParser(collectChecked("--include", checkPattern));

export const excludeOption = () =>
  new Option("--exclude <pattern>", "skip files that match; may be repeated").argParser(
    collectChecked("--exclude", checkPattern),
  );

export const metadataOption = () =>
  new Option(
    "--metadata <key=value>",
    "metadata for all files; front matter overrides it; may be repeated, with the same key for a list",
  ).argParser(collectMetadata);

type Scalar = string | number | boolean | null;

/** Collects `key=value` pairs. A value that reads as a number, true, false or null becomes one, as in front matter. */
function collectMetadata(
  text: string,
  before: Readonly<Record<string, Scalar | Scalar[]>> = {},
): Record<string, Scalar | Scalar[]> {
  const at = text.indexOf("=");
  if (at < 1)
    throw new UsageError(
      `expected --metadata to be key=value, got ${JSON.stringify(text)}`,
      "For example: --metadata lang=en",
    );
  const key = text.slice(0, at);
  const value = scalarOf(text.slice(at + 1));
  const known = Object.hasOwn(before, key) ? [before[key]!].flat() : null;
  return Object.fromEntries([...Object.entries(before), [key, known === null ? value : [...known, value]]]);
}

function scalarOf(text: string): Scalar {
  if (!/^(true|false|null|-?[0-9.]+([eE][+-]?[0-9]+)?)$/.test(text)) return text;
  try {
    const value = JSON.parse(text) as Scalar;
    return typeof value === "number" && !Number.isFinite(value) ? text : value;
  } catch {
    return text; // such as 1.2.3
  }
}

/** Returns a parser for an option whose value is checked before anything is done. */
export function checked(flag: string, check: ValueCheck): (value: string) => string {
  return parsed(flag, (value, name) => {
    check(value, name);
    return value;
  });
}

/** Returns a parser for an option whose text stands for something else. */
export function parsed<T>(flag: string, read: (value: string, name: string) => T): (value: string) => T {
  return (value) => {
    try {
      return read(value, flag);
    } catch (error) {
      if (error instanceof UsageError || !(error instanceof SelfsameError)) throw error;
      throw new UsageError(error.reason, error.hint, { cause: error });
    }
  };
}

/** Like `checked`, for an option that may be given several times, but at most `most` times. */
export function collectChecked(
  flag: string,
  check: ValueCheck,
  most = Number.POSITIVE_INFINITY,
): (value: string, before: readonly string[] | undefined) => string[] {
  const one = checked(flag, check);
  return (value, before) => {
    if ((before?.length ?? 0) < most) return collect(one(value), before);
    throw new UsageError(
      `expected ${flag} at most ${most} times, got more`,
      "One pattern can combine several: {docs,notes}/**",
    );
  };
}

/** For an option that may be given several times, with one value each time. */
export function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** A whole number within bounds. */
export function wholeNumberFrom(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

/** A number within bounds; fractions are allowed. */
export function numberFrom(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^-?[0-9]*\.?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a number from ${least} to ${most}.`);
  };
}

/** The end of a command's help: examples of its use, and what its exit code means. */
export function ending(
  examples: readonly string[],
  exit: readonly string[] = ["0 done", "1 failed"],
): string {
  const codes = [...exit, "2 invalid command line or selfsame.config.json"];
  return [
    "",
    examples.length === 1 ? "Example:" : "Examples:",
    ...examples.map((example) => `  $ selfsame ${example}`),
    "",
    `Exit code: ${codes.join(", ")}`,
  ].join("\n");
}
