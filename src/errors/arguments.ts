import { describeValue } from "./describe-value.ts";
import { membersOf } from "./plain-object.ts";
import { SelfsameError } from "./selfsame-error.ts";

/** Copies a caller's list, since the caller may change it later. @throws {SelfsameError} BAD_ARGUMENT */
export function listArgument<T>(name: string, value: readonly T[]): T[] {
  if (Array.isArray(value)) return Array.from(value as readonly T[]);
  throw badArgument(name, "a list", value);
}

/** Like `listArgument` for a list of strings. @throws {SelfsameError} BAD_ARGUMENT */
export function textsArgument(name: string, value: readonly string[]): string[] {
  if (isTexts(value)) return Array.from(value);
  throw badArgument(name, "a list of strings", value);
}

/**
 * Copies a caller's options.
 *
 * @param known the allowed names, if no others are allowed
 * @throws {SelfsameError} BAD_ARGUMENT
 */
export function optionsArgument<T extends object>(value: T, known?: Readonly<Record<keyof T, true>>): T {
  const members = membersOf(value);
  if (members === null) throw badArgument("options", "a plain object", value);
  const unknown = known && members.find(([name]) => !Object.hasOwn(known, name));
  if (unknown !== undefined) {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected options among ${Object.keys(known!).join(", ")}, got ${describeValue(unknown[0])}`,
    );
  }
  return Object.fromEntries(members) as T;
}

const KINDS = {
  address: ["a URL or a string", (value) => typeof value === "string" || value instanceof URL],
  count: ["a whole number, 0 or more", (value) => Number.isSafeInteger(value) && (value as number) >= 0],
  flag: ["true or false", (value) => typeof value === "boolean"],
  function: ["a function", (value) => typeof value === "function"],
  signal: ["an AbortSignal", (value) => typeof (value as AbortSignal | null)?.aborted === "boolean"],
  text: ["a string", (value) => typeof value === "string"],
  texts: ["a list of strings", isTexts],
} as const satisfies Record<string, readonly [what: string, fits: (value: unknown) => boolean]>;

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && Array.from(value).every((each) => typeof each === "string");
}

/** Checks the type of each option that is present. @throws {SelfsameError} BAD_ARGUMENT */
export function checkKinds<T extends object>(
  options: T,
  kinds: { readonly [name in keyof T]?: keyof typeof KINDS },
): T {
  for (const [name, kind] of Object.entries(kinds) as [keyof T & string, keyof typeof KINDS][]) {
    const [what, fits] = KINDS[kind];
    const value = options[name];
    if (value !== undefined && !fits(value)) throw badArgument(name, what, value);
  }
  return options;
}

/** @throws {SelfsameError} BAD_ARGUMENT */
export function stringArgument(name: string, value: string): string {
  if (typeof value === "string") return value;
  throw badArgument(name, "a string", value);
}

/** @throws {SelfsameError} BAD_ARGUMENT */
export function flagArgument(name: string, value: boolean): boolean {
  if (typeof value === "boolean") return value;
  throw badArgument(name, "true or false", value);
}

/** Checks for an object with these methods, of any class. @throws {SelfsameError} BAD_ARGUMENT */
export function objectArgument<T extends object>(name: string, value: T, methods: readonly (keyof T)[]): T {
  const missing = methods.find((method) => typeof value?.[method] !== "function");
  if (missing === undefined) return value;
  throw badArgument(name, `an object with the method ${String(missing)}()`, value);
}

export function badArgument(name: string, what: string, got: unknown): SelfsameError {
  const described = describeValue(got);
  return new SelfsameError("BAD_ARGUMENT", `expected ${name} to be ${what}, got ${described}`, "", {
    details: { argument: name, expected: what, got: described },
  });
}
