/** The HTTP edge, which the servers of `selfsame mcp --http` and `selfsame serve` share. */
export type { HttpBindings } from "@hono/node-server";
export { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
export { type BodyLimits, bodyBytes, bodyPieces } from "./body.ts";
export { type EdgeOptions, HttpEdge, isPublic } from "./edge.ts";
export { answerJson, type Refusal, RefusedRequest, refusalBody } from "./refusal.ts";
export { tokenFrom } from "./token.ts";
