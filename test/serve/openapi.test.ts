/** The OpenAPI document says what the server does: a client that is generated from it works. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import createClient from "openapi-fetch";
import { beforeAll, expect, test } from "vitest";
import { apiTypes } from "../../scripts/generate-api-client.ts";
import type { paths } from "./api.generated.ts";
import { type Answer, notes, type Running, running } from "./running.ts";

let server: Running;
beforeAll(async () => {
  server = await running();
});

test("the generated client is that of the document", async () => {
  const file = join(import.meta.dirname, "api.generated.ts");
  // The parameters of a search have their own tests: the table that they are made from.
  const withoutParameters = (types: string) => types.replace(/QueryRequest: \{[\s\S]*?QueryAnswer: \{/, "");
  expect(withoutParameters(await apiTypes()), "npx tsx scripts/generate-api-client.ts").toBe(
    withoutParameters(readFileSync(file, "utf8")),
  );
});

test("the generated client works", async () => {
  const client = createClient<paths>({ baseUrl: server.url });
  const added = await client.POST("/v1/hybrid/ingest", {
    params: { query: { namespace: "typed" } },
    body: notes(3) as never,
  });
  expect(added.data?.added).toBe(3);
  const found = await client.POST("/v1/hybrid/query", {
    body: { query: "equal scores", namespace: "typed" },
  });
  expect(found.data?.results.map(({ namespace }) => namespace)).toStrictEqual(["typed", "typed", "typed"]);
  const receipt = found.data!.receipt!;
  const checked = await client.POST("/v1/namespaces/{name}/verify-receipt", {
    ...{ params: { path: { name: "typed" } }, body: receipt },
  });
  expect(checked.data?.is_same).toBe(true);
  const root = await client.GET("/v1/namespaces/{name}/root", { params: { path: { name: "typed" } } });
  expect(root.data?.root).toBe(receipt.root);
  const removed = await client.DELETE("/v1/hybrid/documents", {
    body: { namespace: "typed", paths: ["ties/000.md"] },
  });
  expect(removed.data?.removed).toBe(1);
  const wrong = await client.POST("/v1/hybrid/query", { body: { query: "" } });
  expect(wrong.error?.error.code).toBe("BAD_ARGUMENT");
  expect((await client.GET("/v1/namespaces")).data?.namespaces.map(({ name }) => name)).toStrictEqual([
    "typed",
  ]);
  expect((await client.GET("/healthz")).data?.status).toBe("ok");
});

test("the document is OpenAPI 3.1, every reference resolves, and every path is answered", async () => {
  const { json } = await server.send("GET", "/openapi.json");
  expect(json.openapi).toBe("3.1.0");
  const references = [...JSON.stringify(json).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name!,
  );
  expect(references.filter((name) => json.components.schemas[name] === undefined)).toStrictEqual([]);
  expect(JSON.stringify(json)).not.toContain('"$ref":"#/$defs');
  for (const [path, operations] of Object.entries<Answer>(json.paths)) {
    for (const method of Object.keys(operations)) {
      const response = await fetch(server.url + path.replace("{name}", "none"), {
        ...{ method: method.toUpperCase() },
      });
      const text = await response.text();
      expect([method, path, response.status, text]).not.toMatchObject([method, path, 405, text]);
      expect(text).not.toContain("NOT_FOUND");
    }
  }
});
