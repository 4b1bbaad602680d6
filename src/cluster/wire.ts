/** How questions to shards and their answers become bytes. SPEC §29.4 */
import type { z } from "zod";
import { type ErrorRecord, errorOfRecord, errorRecord } from "../errors/error-record.ts";
import { type ErrorCode, SelfsameError } from "../errors/selfsame-error.ts";
import { utf8, utf8ToString } from "../text/canonical.ts";
import { DOCUMENT_QUESTIONS } from "./document-messages.ts";
import { SEARCH_QUESTIONS } from "./messages.ts";
import { ANSWER_BYTES_MAX, REQUEST_BYTES_MAX } from "./shard.ts";

const VERSION = 1;

/** Everything that a shard can be asked. */
export const QUESTIONS = { ...SEARCH_QUESTIONS, ...DOCUMENT_QUESTIONS };
export type QuestionName = keyof typeof QUESTIONS;
export type Given<Q extends QuestionName> = z.infer<(typeof QUESTIONS)[Q]["given"]>;
export type Answer<Q extends QuestionName> = z.infer<(typeof QUESTIONS)[Q]["answer"]>;

/** A question about one state of a shard. */
export interface ShardRequest<Q extends QuestionName = QuestionName> {
  readonly state: string;
  readonly ask: Q;
  readonly given: Given<Q>;
}

/** Returns a request as bytes. */
export function encodeRequest<Q extends QuestionName>({ state, ask, given }: ShardRequest<Q>): Uint8Array {
  const bytes = utf8(JSON.stringify({ v: VERSION, state, ask, given }));
  if (bytes.length <= REQUEST_BYTES_MAX) return bytes;
  throw new SelfsameError(
    "BAD_ARGUMENT",
    `expected a question to shards of at most ${REQUEST_BYTES_MAX} bytes, got ${bytes.length}`,
    "Use fewer or shorter filters and terms",
  );
}

/** Reads a request. @throws {SelfsameError} BAD_ARGUMENT */
export function decodeRequest(bytes: Uint8Array): ShardRequest {
  const read = readJson(bytes, REQUEST_BYTES_MAX, "BAD_ARGUMENT");
  const { v, state, ask, given } = (read ?? {}) as Record<string, unknown>;
  if (v !== VERSION) throw refused("BAD_ARGUMENT", `version ${VERSION}`, `${String(v)}`);
  if (typeof ask !== "string" || !Object.hasOwn(QUESTIONS, ask) || typeof state !== "string")
    throw refused("BAD_ARGUMENT", "a known question about a state", `${String(ask)}`);
  const parsed = QUESTIONS[ask as QuestionName].given.safeParse(given);
  if (!parsed.success) throw refused("BAD_ARGUMENT", `what ${ask} is given`, said(parsed.error));
  return { state, ask: ask as QuestionName, given: parsed.data } as ShardRequest;
}

/** Returns an answer as bytes. */
export function encodeAnswer(answer: unknown): Uint8Array {
  return utf8(JSON.stringify({ v: VERSION, answer }));
}

/** Returns an error as bytes: it is an answer, too. */
export function encodeRefusal(error: unknown): Uint8Array {
  return utf8(JSON.stringify({ v: VERSION, error: errorRecord(error) }));
}

/** Reads the answer to a question. @throws {SelfsameError} what the shard threw, or BAD_SHARD */
export function decodeAnswer<Q extends QuestionName>(ask: Q, bytes: Uint8Array): Answer<Q> {
  const read = readJson(bytes, ANSWER_BYTES_MAX, "BAD_SHARD");
  const { v, answer, error } = (read ?? {}) as Record<string, unknown>;
  if (v !== VERSION) throw refused("BAD_SHARD", `version ${VERSION}`, `${String(v)}`);
  if (error !== undefined) throw errorOfRecord(checkedRecord(error), "BAD_SHARD");
  const parsed = QUESTIONS[ask].answer.safeParse(answer);
  if (!parsed.success) throw refused("BAD_SHARD", `an answer to ${ask}`, said(parsed.error));
  return parsed.data as Answer<Q>;
}

function checkedRecord(error: unknown): ErrorRecord {
  const { code, reason, hint, details } = (error ?? {}) as Record<string, unknown>;
  if (typeof reason !== "string" || (code !== null && typeof code !== "string"))
    throw refused("BAD_SHARD", "an error", "another value");
  const isPlain = typeof details === "object" && details !== null;
  return {
    code: code as ErrorCode | null,
    reason,
    hint: typeof hint === "string" ? hint : "",
    details: isPlain ? (details as ErrorRecord["details"]) : {},
  };
}

function readJson(bytes: Uint8Array, most: number, code: ErrorCode): unknown {
  if (bytes.length > most) throw refused(code, `at most ${most} bytes`, `${bytes.length}`);
  try {
    return JSON.parse(utf8ToString(bytes));
  } catch {
    throw refused(code, "JSON", "other bytes");
  }
}

/** Returns what is wrong first. */
function said({ issues: [first] }: z.ZodError): string {
  return `${first?.path.join(".")}: ${first?.message}`;
}

function refused(code: ErrorCode, expected: string, got: string): SelfsameError {
  return new SelfsameError(
    code,
    `expected a message between coordinator and shard to be ${expected}, got ${got}`,
    "Use one version of Selfsame in all parts of a cluster",
  );
}
