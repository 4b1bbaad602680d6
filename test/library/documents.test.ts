/** What the documents point at is there: files, headings, scripts. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const DOCUMENTS = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SPEC.md",
  "test-vectors/README.md",
];

/** The anchor that a heading gets where Markdown is shown. */
function anchor(heading: string): string {
  const kept = heading.replace(/[^a-zA-Z0-9 _-]/g, "").replaceAll(" ", "-");
  return kept.toLowerCase();
}

function anchors(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchor(heading!));
}

describe.each(DOCUMENTS)("%s", (name) => {
  const file = join(root, name);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";

  it("is there", () => {
    expect(text).not.toBe("");
  });

  it("links to files and headings that exist", () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
    for (const link of links.filter((link) => !link.startsWith("http"))) {
      const [path = "", heading] = link.split("#");
      const target = path === "" ? file : join(dirname(file), path);
      expect(existsSync(target), `${link} exists`).toBe(true);
      if (heading !== undefined) expect(anchors(target), link).toContain(heading);
    }
  });

  it("names scripts that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const named = [...text.matchAll(/npm (?:run ([\w:]+)|(start|test)\b)/g)].map(
      ([, run, own]) => run ?? own!,
    );
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
    const files = [...text.matchAll(/\bscripts\/[\w.-]+/g)].map(([path]) => path);
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
