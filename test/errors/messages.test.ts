/** What messages are made of: a reason and a hint, and values of any kind and length. */
import { describe, expect, it } from "vitest";
import { describeValue } from "#dist/errors/describe-value.js";
import { counted, SelfsameError, shortened } from "#dist/errors/index.js";

describe("an error", () => {
  it("has its facts apart, and a message of reason and hint", () => {
    const error = new SelfsameError("BAD_ARGUMENT", "expected a, got b", "Give a", { details: { line: 3 } });
    expect(error).toMatchObject({ code: "BAD_ARGUMENT", reason: "expected a, got b", hint: "Give a" });
    expect([error.message, error.details]).toEqual(["expected a, got b. Give a", { line: 3 }]);
    expect(new SelfsameError("ABORTED", "stopped").message).toBe("stopped");
  });
});

describe("a long text", () => {
  it("is cut at a length, never between the halves of a character", () => {
    for (let length = 0; length < 8; length++) {
      const text = shortened("a😀😀b😀", length);
      expect([length, new TextDecoder().decode(new TextEncoder().encode(text))]).toEqual([length, text]);
      expect(text.length).toBeLessThanOrEqual(length + 1);
    }
    expect([shortened("abc", 3), shortened("abcd", 3)]).toEqual(["abc", "abc…"]);
  });

  it("in a message is a whole text", () => {
    for (const start of ["", "a"]) {
      const text = describeValue(start + "😀".repeat(100));
      expect(text.length).toBeLessThanOrEqual(81);
      expect(text).not.toMatch(/\p{Cs}/u);
    }
  });
});

it.each([
  [Number.NaN, "NaN"],
  [5n, "5n"],
  [new Map(), "a Map"],
  [new (class Own {})(), "an object of a class"],
  [undefined, "nothing"],
  [() => 0, "a function"],
  [{ a: [1] }, '{"a":[1]}'],
  [{ a: 5n }, "an object that is not JSON"],
])("a value is described: %o", (value, text) => {
  expect(describeValue(value)).toBe(text);
});

it("a count has its noun", () => {
  expect([counted(1, "chunk"), counted(2, "chunk"), counted(0, "query", "queries")]).toEqual([
    ...["1 chunk", "2 chunks", "0 queries"],
  ]);
});
