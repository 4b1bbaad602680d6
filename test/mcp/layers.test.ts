/** CON-001: search knows nothing of the protocol, and the server reaches the library by its public API alone. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "../../src");
const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

/** What a file imports. */
function imports(file: string): string[] {
  const text = readFileSync(join(SRC, file), "utf8");
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)].map(([, name]) => name!);
}

test("CON-001: no file outside of src/mcp imports the protocol, and none but the command imports src/mcp", () => {
  const others = files.filter((file) => !file.startsWith("mcp/"));
  expect(others.length).toBeGreaterThan(100);
  for (const file of others) {
    expect(
      imports(file).filter((name) => name.includes("@modelcontextprotocol")),
      file,
    ).toStrictEqual([]);
    if (file !== join("cli", "mcp.ts"))
      expect(
        imports(file).filter((name) => name.includes("/mcp/")),
        file,
      ).toStrictEqual([]);
  }
});

test("CON-001: src/mcp imports itself, packages, Node, and of the library its index alone", () => {
  const own = files.filter((file) => file.startsWith("mcp/"));
  expect(own.length).toBeGreaterThan(10);
  for (const file of own) {
    for (const name of imports(file).filter((each) => each.startsWith("."))) {
      const target = relative(SRC, join(SRC, "mcp", name));
      expect(target === "index.ts" || target.startsWith("mcp/"), `${file}: ${name}`).toBe(true);
    }
  }
});
