/** Options that several commands have, and how each help ends. */
import { Command, InvalidArgumentError, Option } from "commander";

export function commandNamed(name: string): Command {
  return new Command(name).showHelpAfterError(`(selfsame ${name} --help shows its options)`);
}

export const buildOption = () =>
  new Option("--build <build>", "which build of the engine; all give the same bits")
    .choices(["auto", "simd", "soft", "scalar"])
    .default("auto");

export const modelOption = (byDefault: string) =>
  new Option(
    "--model <name>",
    `a model of models/, by name, or the URL of a manifest (default: ${byDefault})`,
  );

export const jsonOption = () => new Option("--json", "one JSON document on standard output, nothing else");

export const dbOption = () =>
  new Option("--db <file>", "the library (default: .selfsame/library.db of this folder or one above it)");

/** For an option that may be given several times, each time with one value. */
export function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}

export function wholeNumber(text: string): number {
  if (!/^[0-9]+$/.test(text)) throw new InvalidArgumentError("Expected a whole number.");
  return Number(text);
}

/** The end of a command's help: how it is called, and what its exit code says. */
export function ending(
  examples: readonly string[],
  exit: readonly string[] = ["0 done", "1 failed"],
): string {
  const codes = [...exit, "2 wrong command line or selfsame.config.json"];
  return [
    "",
    examples.length === 1 ? "Example:" : "Examples:",
    ...examples.map((example) => `  $ selfsame ${example}`),
    "",
    `Exit code: ${codes.join(", ")}`,
  ].join("\n");
}
