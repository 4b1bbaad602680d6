/** YAML values with their positions, in the form of located-json.ts: the plain part of YAML, without anchors and tags. */
import { isMap, isScalar, isSeq, type Node, parseDocument } from "yaml";
import { JsonFault, type Located, type LocatedMember } from "./located-json.ts";

/** The deepest nesting allowed. A deeper text is no configuration and would exhaust the stack. */
const DEPTH_MAX = 64;

/** @throws {JsonFault} */
export function parseLocatedYaml(text: string): Located {
  const document = parseDocument(text, {
    version: "1.2",
    schema: "core",
    uniqueKeys: true,
    strict: true,
    prettyErrors: false,
  });
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) throw new JsonFault(error.message, error.pos[0]);
  // An empty file sets nothing.
  if (document.contents === null) return { kind: "object", at: 0, members: new Map() };
  return located(document.contents as Node, 0);
}

function located(node: Node, depth: number): Located {
  const at = node.range?.[0] ?? 0;
  if (depth > DEPTH_MAX) throw new JsonFault(`expected at most ${DEPTH_MAX} levels, got more`, at);
  if (node.tag?.startsWith("!")) throw new JsonFault(`expected a plain value, got the tag ${node.tag}`, at);
  if (isMap(node)) {
    const members = new Map<string, LocatedMember>();
    for (const { key, value } of node.items) {
      if (!isScalar(key) || typeof key.value !== "string")
        throw new JsonFault("expected a key to be text, got something else", (key as Node).range?.[0] ?? at);
      const keyAt = key.range?.[0] ?? at;
      const member = value === null ? nullAt(keyAt) : located(value as Node, depth + 1);
      members.set(key.value, { keyAt, value: member });
    }
    return { kind: "object", at, members };
  }
  if (isSeq(node)) {
    const items = node.items.map((each) => (each === null ? nullAt(at) : located(each as Node, depth + 1)));
    return { kind: "array", at, items };
  }
  if (!isScalar(node)) throw new JsonFault("expected a plain value, got an alias", at);
  const { value } = node;
  if (value === null) return nullAt(at);
  if (typeof value === "string") return { kind: "string", at, value };
  if (typeof value === "number") return { kind: "number", at, value };
  if (typeof value === "boolean") return { kind: "boolean", at, value };
  throw new JsonFault("expected text, a number, true, false or null", at);
}

function nullAt(at: number): Located {
  return { kind: "null", at, value: null };
}
