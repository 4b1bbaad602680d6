/** The extent of a JSON text, measured without parsing it, against that of the parsed value. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { jsonExtent } from "../../src/http/json-extent.ts";

const numRuns = import.meta.env.MODE === "long" ? 20_000 : 2_000;
const measured = (text: string) => jsonExtent(new TextEncoder().encode(text));

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const members = Object.values(value);
  return members.length + members.reduce<number>((sum, each) => sum + membersOf(each), 0);
}

it("is exact in depth, and counts no fewer members than there are", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
      const { depth, members } = measured(JSON.stringify(value, null, indent));
      expect(depth).toBe(depthOf(value));
      expect(members).toBeGreaterThanOrEqual(membersOf(value));
    }),
    { numRuns },
  );
});

it("brackets, commas and quotes in strings are no structure", () => {
  expect(measured(JSON.stringify('[{",\\"'))).toMatchObject({ depth: 0, members: 0 });
  expect(measured(JSON.stringify({ 'a"[': "\\", b: ["\\\\", "]"] }))).toMatchObject({ depth: 2 });
});

it("the outline keeps the members of each message of a batch, and nothing deeper", () => {
  const batch = [{ id: 1, method: "x", params: { deep: [[["secret"]]] } }, { id: "two" }];
  const { outline } = measured(JSON.stringify(batch));
  expect(outline).toContain('"id":1,"method":"x"');
  expect(outline).toContain('"id":"two"');
  expect(outline).not.toContain("secret");
});

it("a million brackets take no stack, and any bytes have some extent", () => {
  expect(measured("[".repeat(1_000_000)).depth).toBe(1_000_000);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const { depth, members } = jsonExtent(bytes);
      expect(depth >= 0 && members >= depth).toBe(true);
    }),
    { numRuns },
  );
});
