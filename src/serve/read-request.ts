import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { bodyBytes, type HttpBindings, jsonExtent, lostMember, schemaFault } from "../http/index.ts";
import { refused } from "./failure.ts";
import type { Limits } from "./limits.ts";

/** No sound request nests deeper or has more members. */
const DEPTH_MAX = 64;
const MEMBERS_MAX = 50_000;

export interface Env {
  readonly Bindings: HttpBindings;
  readonly Variables: {
    /** Whether the request writes its own line to the log. */
    isLogged?: boolean;
    /** The code of the error that it is answered with. */
    error?: string;
  };
}

/** Reads a JSON body and checks it against its schema. @throws {RefusedRequest} that names the field */
export async function readJson<T>(
  request: IncomingMessage,
  schema: z.ZodType<T>,
  limits: Limits,
): Promise<T> {
  return checked(await readAnyJson(request, limits), schema);
}

/** Reads a JSON body of any form. Depth and size are checked before it is parsed. */
export async function readAnyJson(request: IncomingMessage, limits: Limits): Promise<unknown> {
  requireType(request, ["application/json"]);
  const bytes = await bodyBytes(request, { max: limits.bodyMax, patienceMs: limits.bodyMs });
  const { depth, members } = jsonExtent(bytes);
  if (depth > DEPTH_MAX || members > MEMBERS_MAX)
    throw refused(
      400,
      "BAD_JSON",
      `expected JSON of at most ${DEPTH_MAX} levels and ${MEMBERS_MAX} members, got ${depth} and ${members}`,
      "Ask for less in one request",
    );
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw refused(400, "BAD_JSON", `expected JSON, got ${(error as Error).message}`, "Check the body");
  }
}

/** @throws {RefusedRequest} 400 that names the field */
export function checked<T>(value: unknown, schema: z.ZodType<T>): T {
  const lost = lostMember(value);
  const parsed = schema.safeParse(value);
  if (parsed.success && lost === null) return parsed.data;
  const faults = new Map(
    (parsed.error?.issues ?? []).map((issue) => [issue.path.join("."), schemaFault(issue, value)]),
  );
  throw refused(
    400,
    "BAD_ARGUMENT",
    lost ?? [...faults.values()].slice(0, 5).join("; "),
    "/openapi.json has the schema of every request",
  );
}

/** A browser sends these types to another origin only after it has asked, which the server then refuses. */
export function requireType({ headers }: IncomingMessage, types: readonly string[]): string {
  const given = (headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
  if (types.includes(given)) return given;
  throw refused(
    415,
    "UNSUPPORTED_MEDIA_TYPE",
    `expected Content-Type: ${types.join(" or ")}, got ${given === "" ? "none" : given}`,
    `Add the header Content-Type: ${types[0]}`,
  );
}
