import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SelfsameError } from "../errors.ts";
import type { SearchParameters } from "../index.ts";
import { JsonFault, lineAndColumn, parseLocated, plainValue } from "./located-json.ts";
import { findFault, type Schema } from "./schema-check.ts";

export const CONFIG_FILE = "selfsame.config.json";

/** What selfsame.config.json says, paths made absolute. selfsame.schema.json describes each key. */
export interface Config {
  /** The file itself, and the folder that its paths count from. */
  readonly file: string;
  readonly folder: string;
  readonly paths?: readonly string[];
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly model?: string;
  readonly db?: string;
  readonly search?: Omit<SearchParameters, "cursor">;
}

/** The configuration of the folder or the nearest one above it that has one; null if none has. */
export function findConfig(from: string = process.cwd()): Config | null {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const file = join(folder, CONFIG_FILE);
    if (existsSync(file)) return readConfig(file);
    if (folder === dirname(folder)) return null;
  }
}

/** @throws {SelfsameError} BAD_CONFIG that names the file, line, column and key */
export function readConfig(file: string): Config {
  let text: string;
  try {
    text = readFileSync(file, "utf8").replace(/^\ufeff/, "");
  } catch (cause) {
    throw new SelfsameError("BAD_CONFIG", `expected to read ${file}, got ${(cause as Error).message}`, "", {
      cause,
    });
  }
  const refuse = (at: number, message: string, hint: string): never => {
    const { line, column } = lineAndColumn(text, at);
    throw new SelfsameError("BAD_CONFIG", `${file}:${line}:${column}: ${message}`, hint);
  };
  try {
    const located = parseLocated(text);
    const fault = findFault(located, readSchema(), "");
    if (fault !== null) refuse(fault.at, fault.message, fault.hint);
    return resolved(file, plainValue(located) as Omit<Config, "file" | "folder">);
  } catch (error) {
    if (error instanceof JsonFault) return refuse(error.at, error.message, "");
    throw error;
  }
}

function resolved(file: string, value: Omit<Config, "file" | "folder">): Config {
  const folder = dirname(file);
  const { paths, db } = value;
  return {
    ...value,
    file,
    folder,
    ...(paths === undefined ? {} : { paths: paths.map((path) => resolve(folder, path)) }),
    ...(db === undefined ? {} : { db: resolve(folder, db) }),
  };
}

/** The schema that editors use is the one that counts. */
function readSchema(): Schema {
  return JSON.parse(readFileSync(new URL("../../selfsame.schema.json", import.meta.url), "utf8")) as Schema;
}
