import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  type CallToolResult,
  ListToolsRequestSchema,
  type ServerNotification,
  type ServerRequest,
  type ToolAnnotations,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

/** What the SDK gives with a request: its signal, its progress token. */
export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** A tool, for a service of type T. */
export interface Tool<T> {
  readonly name: string;
  readonly description: string;
  /** What the arguments are checked against. */
  readonly input: z.ZodObject;
  /** What tools/list shows of it, if that is shorter. */
  readonly shown?: z.ZodObject | undefined;
  /** What a structured answer has. */
  readonly output: z.ZodObject;
  /** Whether tools/list shows `output`, and every answer is structured: the tools of contracts. */
  readonly isStructured?: boolean | undefined;
  readonly annotations: ToolAnnotations;
  readonly run: (service: T, asked: Record<string, unknown>, extra: Extra) => Promise<CallToolResult>;
}

/** Infers the type of the arguments from their schema. */
export function tool<T, I extends z.ZodObject>(
  definition: Omit<Tool<T>, "input" | "run"> & {
    readonly input: I;
    readonly run: (service: T, asked: z.infer<I>, extra: Extra) => Promise<CallToolResult>;
  },
): Tool<T> {
  return definition as unknown as Tool<T>;
}

/** What a client may assume of a tool that only reads. */
export const READS = { readOnlyHint: true } as const;
/** What a client may assume of a tool that replaces or removes documents. */
export const CHANGES = { readOnlyHint: false, destructiveHint: true } as const;

/** The argument with which a client asks for all fields, as JSON. */
export const structured = z.boolean().default(false).describe("All fields, as JSON");

/**
 * Offers tools. They are listed by this function rather than by the SDK, because what a list says is in an agent's context all
 * the time: schemas without what every one of them repeats, and the long ones in their short form.
 */
export function registerTools<T>(server: McpServer, service: T, tools: readonly Tool<T>[]): void {
  for (const { name, input, run } of tools)
    server.registerTool(name, { inputSchema: input }, (asked, extra) => run(service, asked, extra as Extra));
  const listed = tools.map(({ name, description, input, shown, output, isStructured, annotations }) => ({
    name,
    description,
    inputSchema:
      isStructured === true ? jsonSchema(input, "input") : brief(jsonSchema(shown ?? input, "input")),
    ...(isStructured === true ? { outputSchema: jsonSchema(output, "output") } : {}),
    annotations,
  }));
  server.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }));
}

interface ObjectSchema {
  readonly type: "object";
  readonly [key: string]: unknown;
}

function jsonSchema(schema: z.ZodObject, io: "input" | "output"): ObjectSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return { ...rest, type: "object" };
}

/** Leaves out what an agent does not choose arguments by. The server checks everything, whatever the list says. */
function brief(schema: ObjectSchema): ObjectSchema {
  return without(schema, (key, value) => {
    if (key === "minLength" || key === "additionalProperties") return true;
    if (key === "default") return value === false;
    if (key === "properties") return Object.keys(value as object).length === 0;
    return /^(max|min)imum$/.test(key) && Math.abs(value as number) === Number.MAX_SAFE_INTEGER;
  }) as ObjectSchema;
}

function without(value: unknown, isLeft: (key: string, value: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => without(each, isLeft));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key, each]) => !isLeft(key, each));
  return Object.fromEntries(kept.map(([key, each]) => [key, without(each, isLeft)]));
}
