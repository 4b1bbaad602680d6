/** Every endpoint of the API: its place, and the schemas that requests are checked against and answers keep to. */
import { z } from "zod";
import { recallAnswer, recallRequest } from "../http/index.ts";
import { queryAnswer, queryRequest } from "./query-schema.ts";
import * as schemas from "./schemas.ts";

export interface Operation {
  readonly method: "get" | "post" | "delete";
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  /** The parameter in the address: a namespace. */
  readonly hasName?: true;
  /** Parameters after the question mark. */
  readonly parameters?: z.ZodObject;
  /** The body's schema by its name in the document, and the media types that it may have. */
  readonly body?: { readonly name: string; readonly schema: z.ZodType; readonly types: readonly string[] };
  /** The schema of a successful answer by its name; null for an answer that is not JSON. */
  readonly answer: { readonly name: string; readonly schema: z.ZodType } | { readonly type: string };
  /** The statuses of errors beside 400, 401, 403 and 500. */
  readonly errors?: readonly number[];
}

const json = ["application/json"];
export const NDJSON = "application/x-ndjson";
export const INGEST_TYPES = [NDJSON, "application/json", "application/jsonl", "application/jsonlines"];

export const OPERATIONS: readonly Operation[] = [
  {
    method: "post",
    path: "/v1/hybrid/query",
    id: "query",
    summary: "Search a namespace by meaning and by words",
    body: { name: "QueryRequest", schema: queryRequest, types: json },
    answer: { name: "QueryAnswer", schema: queryAnswer },
    errors: [404, 409, 413, 429, 503],
  },
  {
    method: "post",
    path: "/v1/recall",
    id: "recall",
    summary: "Recall memories from a space, with reasons and a confidence, within what a person may see",
    body: { name: "RecallRequest", schema: recallRequest, types: json },
    answer: { name: "RecallAnswer", schema: recallAnswer },
    errors: [404, 413, 429, 503],
  },
  {
    method: "post",
    path: "/v1/hybrid/ingest",
    id: "ingest",
    summary:
      "Add documents, or chunks with their vectors, to a namespace, or update them: a JSON list, or one JSON object per line; any number, streamed",
    parameters: schemas.ingestQuery,
    body: {
      name: "Documents",
      schema: z.union([schemas.document.array(), schemas.chunk.array()]),
      types: INGEST_TYPES,
    },
    answer: { name: "IngestAnswer", schema: schemas.ingestAnswer },
    errors: [408, 409, 413, 415, 429, 503, 507],
  },
  {
    method: "delete",
    path: "/v1/hybrid/documents",
    id: "deleteDocuments",
    summary: "Remove documents by their paths",
    body: { name: "DeleteRequest", schema: schemas.deleteRequest, types: json },
    answer: { name: "DeleteAnswer", schema: schemas.deleteAnswer },
    errors: [404, 413, 429, 503],
  },
  {
    method: "get",
    path: "/v1/hybrid/stats",
    id: "stats",
    summary: "What each namespace holds, and how it is",
    answer: { name: "StatsAnswer", schema: schemas.statsAnswer },
    errors: [429],
  },
  {
    method: "get",
    path: "/healthz",
    id: "health",
    summary:
      "Whether the server works: 200, also if it works less well (`degraded`); 503 if something is broken",
    answer: { name: "HealthAnswer", schema: schemas.healthAnswer },
  },
  {
    method: "get",
    path: "/metrics",
    id: "metrics",
    summary: "Metrics for Prometheus",
    answer: { type: "text/plain" },
  },
  {
    method: "get",
    path: "/v1/namespaces",
    id: "listNamespaces",
    summary: "All namespaces",
    answer: { name: "NamespacesAnswer", schema: schemas.namespacesAnswer },
    errors: [429],
  },
  {
    method: "delete",
    path: "/v1/namespaces/{name}",
    id: "dropNamespace",
    summary: "Delete a namespace, its documents and its snapshots",
    hasName: true,
    answer: { name: "DropAnswer", schema: schemas.dropAnswer },
    errors: [404, 429, 503],
  },
  {
    method: "get",
    path: "/v1/namespaces/{name}/root",
    id: "root",
    summary: "The root, the canon and the metadata root",
    hasName: true,
    answer: { name: "RootAnswer", schema: schemas.rootAnswer },
    errors: [404, 429, 503],
  },
  {
    method: "post",
    path: "/v1/namespaces/{name}/nodes",
    id: "nodes",
    summary: "Nodes of the trees behind the roots, for a pull; off unless the server allows pulls",
    hasName: true,
    body: { name: "NodesRequest", schema: schemas.nodesRequest, types: json },
    answer: { name: "NodesAnswer", schema: schemas.nodesAnswer },
    errors: [404, 413, 429, 503],
  },
  {
    method: "post",
    path: "/v1/namespaces/{name}/paths",
    id: "paths",
    summary:
      "The paths of documents by their ids, for the preview of a pull; off unless the server allows pulls",
    hasName: true,
    body: { name: "PathsRequest", schema: schemas.pathsRequest, types: json },
    answer: { name: "PathsAnswer", schema: schemas.pathsAnswer },
    errors: [404, 413, 429, 503],
  },
  {
    method: "post",
    path: "/v1/namespaces/{name}/pack",
    id: "pack",
    summary:
      "A pack of documents with the vectors of their texts, for a pull; off unless the server allows pulls",
    hasName: true,
    body: { name: "PackRequest", schema: schemas.packRequest, types: json },
    answer: { type: "application/octet-stream" },
    errors: [404, 409, 413, 429, 503],
  },
  {
    method: "post",
    path: "/v1/namespaces/{name}/verify-receipt",
    id: "verifyReceipt",
    summary: "Re-run the search of a receipt from another device, and compare",
    hasName: true,
    body: { name: "Receipt", schema: schemas.verifyRequest, types: json },
    answer: { name: "VerifyAnswer", schema: schemas.verifyAnswer },
    errors: [404, 413, 429, 503],
  },
  {
    method: "post",
    path: "/v1/embeddings",
    id: "createEmbedding",
    summary: "Embed texts, in OpenAI's form",
    body: { name: "EmbeddingsRequest", schema: schemas.embeddingsRequest, types: json },
    answer: { name: "EmbeddingsAnswer", schema: schemas.embeddingsAnswer },
    errors: [404, 413, 429],
  },
  {
    method: "get",
    path: "/v1/models",
    id: "listModels",
    summary: "The model that embeds, in OpenAI's form",
    answer: { name: "ModelsAnswer", schema: schemas.modelsAnswer },
    errors: [429],
  },
];
