/** What servers share: the HTTP edge of `selfsame mcp --http` and `selfsame serve`, and how requests in JSON are read. */
export type { HttpBindings } from "@hono/node-server";
export { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
export { type BodyLimits, bodyBytes, bodyPieces } from "./body.ts";
export { describeJson } from "./describe-json.ts";
export { type EdgeOptions, HttpEdge, isPublic } from "./edge.ts";
export { type JsonExtent, jsonExtent } from "./json-extent.ts";
export { lostMember } from "./lost-member.ts";
export {
  recallAnswer,
  recallAnswerOf,
  recallContext,
  recallRequest,
  recallRequestOf,
} from "./recall-fields.ts";
export { answerJson, type Refusal, RefusedRequest, refusalBody } from "./refusal.ts";
export { schemaFault } from "./schema-fault.ts";
export { type Asked, searchFields, searchParametersOf, snakeCase } from "./search-fields.ts";
export { tokenFrom } from "./token.ts";
