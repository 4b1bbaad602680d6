import { z } from "zod";
import { OPERATIONS, type Operation } from "./operations.ts";
import { errorAnswer } from "./schemas.ts";

type Json = Record<string, unknown>;

const STATUS: Readonly<Record<number, string>> = {
  400: "The request is wrong; `message` says what was expected",
  401: "The token is missing or wrong",
  403: "The host or the origin is not the server's, or pulls are not allowed",
  404: "There is no such namespace or model",
  408: "The body came too slowly",
  409: "The cursor or the library belongs to another state, or the library changed meanwhile",
  413: "The body is too large",
  415: "The media type is not one of those above",
  429: "Too many requests at once; Retry-After says when to try again",
  500: "A bug or a damaged library; the server's log says more",
  503: "Busy for a moment; Retry-After says when to try again",
  507: "The disk is full",
};

/** Returns the OpenAPI 3.1 document, made from the schemas that check requests. */
export function openApiDocument(version: string, hasToken: boolean): Json {
  const paths: Record<string, Json> = {};
  for (const operation of OPERATIONS) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: operationOf(operation, hasToken),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Selfsame",
      version,
      description:
        "Hybrid retrieval that gives the same chunks on every device. The receipt of an answer is canonical: any device can check it.",
      license: { name: "MIT", identifier: "MIT" },
    },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    servers: [{ url: "/" }],
    paths,
    components: {
      schemas: componentSchemas(),
      ...(hasToken ? { securitySchemes: { token: { type: "http", scheme: "bearer" } } } : {}),
    },
  };
}

function operationOf(
  { id, summary, hasName, parameters, body, answer, errors = [], path }: Operation,
  hasToken: boolean,
): Json {
  const isOpen = path === "/healthz";
  const statuses = [400, ...(hasToken && !isOpen ? [401] : []), 403, ...errors, 500].sort((a, b) => a - b);
  const content =
    "type" in answer
      ? { [answer.type]: { schema: { type: "string" } } }
      : { "application/json": { schema: reference(answer.name) } };
  return {
    operationId: id,
    summary,
    ...(hasToken && !isOpen ? { security: [{ token: [] }] } : {}),
    parameters: [...(hasName === true ? [NAME] : []), ...parametersOf(parameters)],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: Object.fromEntries(body.types.map((type) => [type, { schema: reference(body.name) }])),
          },
        }),
    responses: {
      200: { description: "OK", content },
      ...(isOpen ? { 503: { description: "Something is broken", content } } : {}),
      ...Object.fromEntries(
        statuses.map((status) => [
          status,
          { description: STATUS[status], content: { "application/json": { schema: reference("Error") } } },
        ]),
      ),
    },
  };
}

const NAME = {
  name: "name",
  in: "path",
  required: true,
  description: "The namespace",
  schema: { type: "string" },
};

function parametersOf(schema: z.ZodObject | undefined): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, each]) => ({
    name,
    in: "query",
    required: !(each as z.ZodType).safeParse(undefined).success,
    schema: jsonSchema(each as z.ZodType, "input"),
  }));
}

function componentSchemas(): Json {
  const all: [name: string, schema: Json][] = [["Error", jsonSchema(errorAnswer, "output")]];
  for (const { body, answer } of OPERATIONS) {
    if (body !== undefined) all.push([body.name, jsonSchema(body.schema, "input")]);
    if ("schema" in answer) all.push([answer.name, jsonSchema(answer.schema, "output")]);
  }
  return Object.fromEntries(all);
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io,
    unrepresentable: "any",
  });
  return rest;
}

function reference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}
