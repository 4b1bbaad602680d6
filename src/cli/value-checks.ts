/**
 * Checks that flags and selfsame.config.json share. They run before anything is opened or written. Each throws a
 * SelfsameError that calls the value by `name`.
 */
import { readdirSync } from "node:fs";
import { checkFilterText, type ExternalVectors, SelfsameError } from "../index.ts";
import { nearest } from "./nearest-name.ts";

export type ValueCheck = (value: string, name: string) => void;

export const checkPattern: ValueCheck = (value, name) => checkFilterText("path", value, name);

export const checkNotEmpty: ValueCheck = (value, name) => {
  if (value !== "") return;
  throw new SelfsameError("BAD_ARGUMENT", `expected ${name} to have a value, got an empty string`);
};

/** Checks a model's name or address. Whether a manifest exists at an address is found out only when it is read. */
export const checkModel: ValueCheck = (value, name) => {
  if (value.includes("://") && URL.canParse(value)) return;
  const models = readdirSync(new URL("../../models", import.meta.url))
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length));
  if (models.includes(value)) return;
  const near = nearest(value, models);
  throw wrong(
    name,
    `a model's name (${models.join(", ")}) or the URL of a manifest`,
    value,
    near === null ? "" : `Did you mean ${near}?`,
  );
};

/** Reads a source of vectors: `Qwen3-4B:2560`. */
export function externalVectors(value: string, name: string): ExternalVectors {
  const [, model, digits] = /^(.{1,256}):(\d{1,4})$/s.exec(value) ?? [];
  const dimension = Number(digits);
  const isFit = dimension >= 8 && dimension <= 4096 && dimension % 8 === 0;
  if (model !== undefined && isFit) return { name: model, dimension };
  throw wrong(name, "a model's name, a colon and a multiple of 8 up to 4096, such as Qwen3-4B:2560", value);
}

function wrong(name: string, expected: string, got: string, hint = ""): SelfsameError {
  return new SelfsameError(
    "BAD_ARGUMENT",
    `expected ${name} to be ${expected}, got ${JSON.stringify(got)}`,
    hint,
  );
}
