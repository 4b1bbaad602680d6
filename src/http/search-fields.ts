/** The parameters of a search as servers take them in JSON, made from the table of parameters: `topK` is `top_k` here. */
import { z } from "zod";
import {
  type GroupParameter,
  parameterWords,
  SEARCH_PARAMETERS,
  type SearchParameter,
  type SearchParameters,
} from "../index.ts";

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** What a client gave beside the query. */
export type Asked = Readonly<Record<string, unknown>>;

/** Returns the schemas of all parameters, by their names in JSON. */
export function searchFields(): Record<string, z.ZodType> {
  return fieldsOf(SEARCH_PARAMETERS);
}

/** Returns the library's parameters; the library checks what they say. */
export function searchParametersOf(asked: Asked): SearchParameters {
  return renamed(SEARCH_PARAMETERS, asked) as SearchParameters;
}

type Rows = GroupParameter["fields"];

function fieldsOf(rows: Rows): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      snakeCase(name),
      schemaOf(row).optional().describe(descriptionOf(row)),
    ]),
  );
}

function schemaOf(row: SearchParameter): z.ZodType {
  switch (row.kind) {
    case "choice":
      return z.enum(row.choices);
    case "number":
      return (row.isWhole ? z.int() : z.number()).min(row.minimum).max(row.maximum);
    case "flag":
      return z.boolean();
    case "text":
      return z.string();
    case "texts": {
      const list = z.array(z.string());
      return z.union([z.string(), row.maximum === undefined ? list : list.max(row.maximum)]);
    }
    case "date":
      return z.union([z.number(), z.string()]);
    case "vector":
      return z.array(z.number()).max(4096);
    case "sparse":
      return z.strictObject({ terms: z.array(z.string()), weights: z.array(z.number()) });
    case "metadata":
      return z.record(z.string(), z.union([scalar, z.array(scalar)]));
    case "group": {
      const object = z.strictObject(fieldsOf(row.fields));
      return row.orFlag ? z.union([z.boolean(), object]) : object;
    }
  }
}

function descriptionOf(row: SearchParameter): string {
  const { says, byDefault } = parameterWords(row, snakeCase);
  return byDefault === null ? says : `${says}; default ${byDefault}`;
}

/** What is given under its own name; what is not given is left out. Keys of metadata stay as they are. */
function renamed(rows: Rows, asked: Asked): Record<string, unknown> {
  const given = Object.entries(rows).map(([name, row]) => {
    const value = asked[snakeCase(name)];
    const isGroup = row.kind === "group" && typeof value === "object";
    return [name, isGroup ? renamed(row.fields, value as Asked) : value] as const;
  });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** The name of a parameter in JSON: `topK` is `top_k`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
