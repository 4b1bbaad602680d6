/** `selfsame export --tree` and `selfsame pull`: a folder that any web server could serve brings a library up to date. */
import { expect, it } from "vitest";
import { Place } from "./run.ts";

it("shows what would change, brings it over, and ends with the same root", () => {
  const place = new Place({ "docs/a.md": "# A\n\nTies are broken by path.", "docs/b.txt": "Another text." });
  const tiny = ["--model", "tiny"];
  const indexed = place.json("index", "docs", "--db", "a.db", ...tiny);
  expect(place.run("export", "--tree", "tree", "--db", "a.db").status).toBe(0);

  const preview = place.run("pull", "tree", "--db", "b.db", "--dry-run", ...tiny);
  expect([preview.status, preview.stderr]).toEqual([0, ""]);
  expect(preview.stdout).toMatch(/\+ docs\/a\.md\n\+ docs\/b\.txt\n.*\n2 documents would be added/);
  expect(place.json("pull", "tree", "--db", "b.db", ...tiny)).toMatchObject({ added: 2, root: indexed.root });

  place.write("docs/a.md", "# A\n\nTies are broken by path, then by sequence.");
  const changed = place.json("index", "docs", "--db", "a.db");
  place.run("export", "--tree", "tree", "--db", "a.db");
  const mirrored = place.json("pull", "tree", "--db", "b.db", "--mirror");
  expect(mirrored).toMatchObject({ added: 0, updated: 1, root: changed.root });
  expect(place.run("pull", "nowhere", "--db", "b.db").status).toBe(1);
  expect(place.json("root", "--db", "b.db").root).toBe(changed.root);
});
