/** `selfsame export` and `selfsame import`: a pack from one library to another. */
import { generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync, truncateSync } from "node:fs";
import { expect, it } from "vitest";
import { Place } from "./run.ts";

it("a library goes to another device, signed, and comes back equal", () => {
  const place = new Place({ "docs/a.md": "# A\n\nTies are broken by path.", "docs/b.txt": "Another text." });
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  place.write("key.pem", privateKey.export({ format: "pem", type: "pkcs8" }));
  place.write("key.pub", publicKey.export({ format: "pem", type: "spki" }));
  const tiny = ["--model", "tiny"];
  place.json("index", "docs", "--db", "a.db", ...tiny);
  const exported = place.json("export", "a.pack", "--db", "a.db", "--sign", "key.pem");
  expect(exported).toMatchObject({ documents: 2, bytes: readFileSync(place.path("a.pack")).length });
  const checked = ["--db", "b.db", "--require-signature", "key.pub", ...tiny];
  expect(place.json("import", "a.pack", ...checked)).toMatchObject({ added: 2, root: exported.root });
  const again = place.run("import", "a.pack", "--db", "b.db", "--replace", "--verify", "none");
  expect([again.status, again.stderr]).toEqual([0, ""]);
  expect(again.stdout).toContain("Nothing changed: 2 documents up to date.");

  place.json("export", "part.pack", "--db", "a.db", "--path", "*.txt", "docs/*.txt");
  place.json("export", "vectors.pack", "--db", "a.db", "--vectors-only");
  expect(place.json("import", "vectors.pack", "--db", "c.db", ...tiny)).toMatchObject({ added: 0 });
  expect(place.json("index", "docs", "--db", "c.db")).toMatchObject({ embedded: 0 });
  expect(place.run("stats", "--db", "c.db").stdout).toMatch(/0 of \d vectors verified here/);

  const unsigned = place.run("import", "part.pack", ...checked);
  expect([unsigned.status, unsigned.stderr]).toEqual([1, expect.stringContaining("no signature")]);
  truncateSync(place.path("a.pack"), 900);
  const cut = place.run("import", "a.pack", "--db", "b.db");
  expect([cut.status, cut.stderr]).toEqual([1, expect.stringContaining("Nothing was imported")]);
  const none = place.run("import", "key.pem", "--db", "new.db");
  expect([none.status, existsSync(place.path("new.db"))]).toEqual([1, false]);
});
