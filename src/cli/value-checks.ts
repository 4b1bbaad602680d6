/**
 * Checks that flags and selfsame.config.json share. They run before anything is opened or written. Each throws a
 * SelfsameError that calls the value by `name`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { checkFilterText, type ExternalVectors, SelfsameError } from "../index.ts";
import { nearest } from "./nearest-name.ts";

export type ValueCheck = (value: string, name: string) => void;

export const checkPattern: ValueCheck = (value, name) => checkFilterText("path", value, name);

export const checkNotEmpty: ValueCheck = (value, name) => {
  if (value !== "") return;
  throw new SelfsameError("BAD_ARGUMENT", `expected ${name} to have a value, got an empty string`);
};

/** Checks a model's name or address. Whether a manifest exists at an address is found out only when it is read. */
export const checkModel: ValueCheck = (value, name) =>
  checkManifestName(value, name, "a model's name", undefined);

/** Checks a cross-encoder's name or address, as `checkModel` does. */
export const checkCrossEncoder: ValueCheck = (value, name) =>
  checkManifestName(value, name, "a cross-encoder's name", "classifier");

function checkManifestName(value: string, name: string, what: string, head: string | undefined): void {
  if (value.includes("://") && URL.canParse(value)) return;
  const folder = new URL("../../models/", import.meta.url);
  const models = readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .filter((file) => JSON.parse(readFileSync(new URL(file, folder), "utf8")).head === head)
    .map((file) => file.slice(0, -".json".length));
  if (models.includes(value)) return;
  const near = nearest(value, models);
  throw wrong(
    name,
    `${what} (${models.join(", ")}) or the URL of a manifest`,
    value,
    near === null ? "" : `Did you mean ${near}?`,
  );
}

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
