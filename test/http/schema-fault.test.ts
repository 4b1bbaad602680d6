/** What a schema finds wrong, in the words of every other error: expected X, got Y. */
import { expect, it } from "vitest";
import { z } from "zod";
import { schemaFault } from "../../src/http/schema-fault.ts";

const schema = z.strictObject({
  top_k: z.int().min(1).max(50).optional(),
  mode: z.enum(["semantic", "lexical"]).optional(),
  paths: z.union([z.string().min(1), z.array(z.string())]).optional(),
  filter: z.strictObject({ tag: z.string() }).optional(),
});
const faultOf = (value: unknown) => {
  const { error } = schema.safeParse(value);
  return schemaFault(error!.issues[0]!, value);
};

it.each([
  [{ top_k: "5" }, /^expected top_k to be of type .*, got string$/],
  [{ top_k: 2.5 }, /^expected top_k to be of type .*, got 2\.5$/],
  [{ top_k: 0 }, /^expected top_k to be at least 1, got 0$/],
  [{ top_k: 51 }, /^expected top_k to be at most 50, got 51$/],
  [{ mode: "both" }, /^expected mode to be semantic or lexical, got "both"$/],
  [{ paths: 1 }, /^expected paths to be of type string or array, got number$/],
  [{ paths: [1] }, /^expected paths\.0 to be of type string, got number$/],
  [{ filter: {} }, /^expected filter\.tag to be of type string, got none$/],
  [{ filter: null }, /^expected filter to be of type object, got null$/],
  [{ tpo_k: 5 }, /^expected known arguments, got "tpo_k"$/],
  [{ filter: { tag: "a", x: 1 } }, /^expected known members of filter, got "x"$/],
])("%j", (value, message) => {
  expect(faultOf(value)).toMatch(message);
});

it("names at most five unknown members, and shows no long value whole", () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, i]));
  expect(faultOf(many)).toBe('expected known arguments, got "k0", "k1", "k2", "k3", "k4"');
  expect(faultOf({ mode: "x".repeat(10_000) }).length).toBeLessThan(200);
});
