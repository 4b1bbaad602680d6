import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SelfsameError } from "../errors/index.ts";
import type { SearchParameters } from "../index.ts";
import { findWrongValue, valueAt } from "./config-values.ts";
import { JsonFault, type Located, lineAndColumn, parseLocated, plainValue } from "./located-json.ts";
import { findFault, type Schema } from "./schema-check.ts";

export const CONFIG_FILE = "selfsame.config.json";

/** The contents of selfsame.config.json, with absolute paths. selfsame.schema.json describes each key. */
export interface Config {
  /** The file itself, and the folder that its paths are relative to. */
  readonly file: string;
  readonly folder: string;
  readonly paths?: readonly string[];
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly model?: string;
  readonly db?: string;
  readonly search?: Omit<SearchParameters, "cursor">;
  /**
   * Returns BAD_CONFIG for a value that turns out to be wrong only when it is used. `keys` is the path to the value.
   */
  readonly fault: (keys: readonly (string | number)[], message: string, hint?: string) => SelfsameError;
}

type ConfigValues = Omit<Config, "file" | "folder" | "fault">;

/** Returns the configuration of the folder or of the nearest folder above that has one; null if none has. */
export function findConfig(from: string = process.cwd()): Config | null {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const file = join(folder, CONFIG_FILE);
    if (existsSync(file)) return readConfig(file);
    if (folder === dirname(folder)) return null;
  }
}

/** @throws {SelfsameError} BAD_CONFIG with the file, line, column and key */
export function readConfig(file: string): Config {
  const { located, faultAt } = readLocatedConfig(file, parseLocated, readSchema());
  const fault = findWrongValue(located);
  if (fault !== null) throw faultAt(fault.at, fault.message, fault.hint);
  return {
    ...resolved(dirname(file), plainValue(located) as ConfigValues),
    file,
    folder: dirname(file),
    fault: (keys, message, hint) => faultAt(valueAt(located, keys)?.at ?? 0, message, hint),
  };
}

export interface LocatedConfig {
  readonly located: Located;
  /** Returns BAD_CONFIG with the file, and the line and column of an offset. */
  readonly faultAt: (at: number, message: string, hint?: string) => SelfsameError;
}

/** Reads a file that must match a schema. @throws {SelfsameError} BAD_CONFIG with the file, line, column and key */
export function readLocatedConfig(
  file: string,
  parse: (text: string) => Located,
  schema: Schema,
): LocatedConfig {
  const text = readText(file);
  const faultAt = (at: number, message: string, hint = "") => {
    const { line, column } = lineAndColumn(text, at);
    return new SelfsameError("BAD_CONFIG", `${file}:${line}:${column}: ${message}`, hint);
  };
  try {
    const located = parse(text);
    const fault = findFault(located, schema, "");
    if (fault !== null) throw faultAt(fault.at, fault.message, fault.hint);
    return { located, faultAt };
  } catch (error) {
    throw error instanceof JsonFault ? faultAt(error.at, error.message) : error;
  }
}

function readText(file: string): string {
  try {
    // Reading anything but a regular file might block forever.
    if (!statSync(file).isFile()) throw new Error("something other than a file");
    return readFileSync(file, "utf8").replace(/^\ufeff/, "");
  } catch (cause) {
    throw new SelfsameError(
      "BAD_CONFIG",
      `expected to read ${file}, got ${(cause as Error).message}`,
      "Make it a file that you can read, or remove it",
      { cause },
    );
  }
}

function resolved(folder: string, value: ConfigValues): ConfigValues {
  const { paths, db } = value;
  return {
    ...value,
    ...(paths === undefined ? {} : { paths: paths.map((path) => resolve(folder, path)) }),
    ...(db === undefined ? {} : { db: resolve(folder, db) }),
  };
}

/** Reads the schema that editors use. The same one is enforced here. */
function readSchema(): Schema {
  return JSON.parse(readFileSync(new URL("../../selfsame.schema.json", import.meta.url), "utf8")) as Schema;
}
