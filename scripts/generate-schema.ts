// Writes the part of selfsame.schema.json that says how searches are made, from the table of search parameters:
// `npx tsx scripts/generate-schema.ts`, after a build. A test compares the two.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parameterWords, SEARCH_PARAMETERS, type SearchParameter } from "selfsame";

const FILE = new URL("../selfsame.schema.json", import.meta.url);
const text = { type: "string", minLength: 1 };
const scalar = { type: ["string", "number", "boolean", "null"] };

type Rows = Readonly<Record<string, SearchParameter>>;

/** Returns the schema of the configuration's `search`. */
export function searchSchema(): object {
  const rows = Object.entries<SearchParameter>(SEARCH_PARAMETERS).filter(([, row]) => !row.isOfOneSearch);
  return { description: "How searches are made.", ...objectOf(Object.fromEntries(rows)) };
}

function objectOf(rows: Rows): object {
  return { type: "object", additionalProperties: false, properties: propertiesOf(rows) };
}

function propertiesOf(rows: Rows): object {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => {
      const { says, byDefault } = parameterWords(row, (other) => other);
      const description = byDefault === null ? `${says}.` : `${says}. Default: ${byDefault}.`;
      return [name, { description, ...schemaOf(row) }];
    }),
  );
}

function schemaOf(row: SearchParameter): object {
  switch (row.kind) {
    case "choice":
      return { enum: row.choices };
    case "number":
      return { type: row.isWhole ? "integer" : "number", minimum: row.minimum, maximum: row.maximum };
    case "flag":
      return { type: "boolean" };
    case "text":
      return text;
    case "texts": {
      const limit = row.maximum === undefined ? {} : { maxItems: row.maximum };
      return { anyOf: [text, { type: "array", items: text, minItems: 1, ...limit }] };
    }
    case "date":
      return { anyOf: [text, { type: "integer" }] };
    case "vector":
    case "sparse":
      throw new Error(`${row.kind} is of one search, and stands in no configuration`);
    case "metadata":
      return {
        type: "object",
        additionalProperties: { anyOf: [scalar, { type: "array", items: scalar, minItems: 1 }] },
      };
    case "group":
      return row.orFlag ? { anyOf: [{ type: "boolean" }, objectOf(row.fields)] } : objectOf(row.fields);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const schema = JSON.parse(readFileSync(FILE, "utf8"));
  schema.properties.search = searchSchema();
  writeFileSync(FILE, `${JSON.stringify(schema, null, 2)}\n`);
}
