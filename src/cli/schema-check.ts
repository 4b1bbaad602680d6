import type { Located } from "./located-json.ts";
import { nearest } from "./nearest-name.ts";

/** The part of JSON Schema (draft 7) that selfsame.schema.json uses. */
export interface Schema {
  readonly type?: TypeName | readonly TypeName[];
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: false | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly Schema[];
}

type TypeName = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

/** Where a value violates the schema, and how to fix it. */
export interface SchemaFault {
  readonly at: number;
  readonly message: string;
  readonly hint: string;
}

/** Returns the first fault of a value; null if it matches the schema. `name` is what messages call it. */
export function findFault(value: Located, schema: Schema, name: string): SchemaFault | null {
  if (schema.anyOf !== undefined) {
    const fitting = schema.anyOf.find((each) => hasType(value, each));
    if (fitting !== undefined) return findFault(value, fitting, name);
    return fault(value, name, schema.anyOf.map(describe).join(", or "));
  }
  if (!hasType(value, schema) || !isAllowed(value, schema)) return fault(value, name, describe(schema));
  if (value.kind === "array") {
    for (const [i, item] of value.items.entries()) {
      const found = findFault(item, schema.items ?? {}, `${name}[${i}]`);
      if (found !== null) return found;
    }
  }
  return value.kind === "object" ? faultOfMembers(value, schema, name) : null;
}

function faultOfMembers(
  { members }: Extract<Located, { kind: "object" }>,
  { properties = {}, additionalProperties }: Schema,
  name: string,
): SchemaFault | null {
  for (const [key, { keyAt, value }] of members) {
    const full = name === "" ? key : `${name}.${key}`;
    const schema = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    if (schema === false) {
      const known = Object.keys(properties);
      const near = nearest(key, known);
      const message = `expected ${name === "" ? "a key" : `a key of ${name}`} among ${known.join(", ")}, got ${JSON.stringify(key)}`;
      return { at: keyAt, message, hint: near === null ? "" : `Did you mean ${JSON.stringify(near)}?` };
    }
    const found = findFault(value, schema ?? {}, full);
    if (found !== null) return found;
  }
  return null;
}

function typesOf({ type }: Schema): readonly TypeName[] {
  return type === undefined ? [] : typeof type === "string" ? [type] : type;
}

function hasType(value: Located, schema: Schema): boolean {
  const types = typesOf(schema);
  if (types.length === 0) return true;
  if (value.kind === "number" && types.includes("integer") && Number.isSafeInteger(value.value)) return true;
  return types.includes(value.kind);
}

function isAllowed(value: Located, schema: Schema): boolean {
  if (value.kind === "array") {
    const { length } = value.items;
    return length >= (schema.minItems ?? 0) && length <= (schema.maxItems ?? Infinity);
  }
  if (value.kind === "object") return schema.enum === undefined;
  const { value: scalar } = value;
  if (schema.enum !== undefined && !schema.enum.includes(scalar as string)) return false;
  if (typeof scalar === "string") return scalar.length >= (schema.minLength ?? 0);
  if (typeof scalar !== "number") return true;
  return scalar >= (schema.minimum ?? -Infinity) && scalar <= (schema.maximum ?? Infinity);
}

const TYPE_WORDS: Readonly<Record<TypeName, string>> = {
  object: "an object",
  array: "a list",
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  null: "null",
};

function describe(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(", ");
  const words = typesOf(schema)
    .map((type) => TYPE_WORDS[type])
    .join(", ");
  if (schema.minimum !== undefined) return `${words} from ${schema.minimum} to ${schema.maximum}`;
  if (schema.items !== undefined) return `${words} of ${howMany(schema)}: each ${describe(schema.items)}`;
  return (schema.minLength ?? 0) > 0 ? `${words} that is not empty` : words;
}

function howMany({ minItems = 0, maxItems }: Schema): string {
  if (maxItems !== undefined) return `${minItems} to ${maxItems}`;
  return minItems > 0 ? "at least one" : "these";
}

function fault(value: Located, name: string, expected: string): SchemaFault {
  const got =
    value.kind === "array"
      ? value.items.length === 0
        ? "an empty list"
        : `a list of ${value.items.length}`
      : value.kind === "object"
        ? TYPE_WORDS.object
        : JSON.stringify(value.value);
  const near =
    value.kind === "string" && /^"/.test(expected) ? nearest(value.value as string, quoted(expected)) : null;
  const subject = name === "" ? "the file" : name;
  return {
    at: value.at,
    message: `expected ${subject} to be ${expected}, got ${got}`,
    hint: near === null ? "" : `Did you mean ${JSON.stringify(near)}?`,
  };
}

function quoted(list: string): string[] {
  return [...list.matchAll(/"([^"]*)"/g)].map(([, word]) => word!);
}
