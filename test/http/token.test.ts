import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tokenFrom } from "../../src/http/token.ts";
import { scratchFolder } from "../store/scratch.ts";

const folder = scratchFolder();
const file = (text: string) => {
  const path = join(folder, "token");
  writeFileSync(path, text);
  return path;
};

it("is the first line of the file, else the variable, else none", () => {
  expect(tokenFrom(file("abc\r\nrest\n"), "other")).toBe("abc");
  expect(tokenFrom(file("abc"), undefined)).toBe("abc");
  expect(tokenFrom(undefined, "other")).toBe("other");
  expect(tokenFrom(undefined, undefined)).toBe(undefined);
});

it("an empty one, or a file that cannot be read, opens no door", () => {
  for (const given of [
    () => tokenFrom(file("\nabc"), "x"),
    () => tokenFrom(undefined, ""),
    () => tokenFrom(folder, "x"),
  ])
    expect(given).toThrow(
      expect.objectContaining({ code: "BAD_ARGUMENT", hint: expect.stringMatching(/\S/) }),
    );
});
