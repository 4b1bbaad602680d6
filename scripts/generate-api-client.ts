/**
 * Writes test/serve/api.generated.ts: the types of the HTTP API, made from its OpenAPI document by openapi-typescript. The tests
 * use them with openapi-fetch, as an application would.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { openApiDocument } from "../src/serve/openapi.ts";

const FILE = join(import.meta.dirname, "../test/serve/api.generated.ts");

/** Returns the text of the file. */
export async function apiTypes(): Promise<string> {
  const nodes = await openapiTS(openApiDocument("0.0.0", true) as never);
  return `// Written by scripts/generate-api-client.ts.\n${astToString(nodes)}`;
}

if (import.meta.filename === process.argv[1]) writeFileSync(FILE, await apiTypes());
