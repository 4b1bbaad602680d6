/** `selfsame snapshot` and `selfsame restore`, from one folder of namespaces to another. */
import { existsSync } from "node:fs";
import { openNamespaces } from "selfsame";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Place } from "./run.ts";

const place = new Place();
let root = "";
beforeAll(async () => {
  const namespaces = await openNamespaces(place.path("data"), { model: "tiny" });
  const library = await namespaces.get("notes");
  await library.add([{ path: "ties.md", text: "# Ties\n\nEqual scores stand by path." }]);
  root = await library.root();
  await namespaces.close();
});
afterAll(() => place.remove());

it("bring a namespace to another machine, and say what they did", async () => {
  const made = place.json("snapshot", "notes", "--data", "data");
  expect(made).toMatchObject({ namespace: "notes", documents: 1, ntotal: 1, root });
  const restored = place.run("restore", "notes", "data/snapshots/notes", "--data", "other");
  expect([restored.status, restored.stderr]).toEqual([0, ""]);
  expect(restored.stdout).toMatch(/^notes: 1 document, 1 chunk, as of \d{4}-.*Z\nroot [0-9a-f]{64}\n$/);
  const namespaces = await openNamespaces(place.path("other"));
  expect(await (await namespaces.get("notes")).root()).toBe(root);
  await namespaces.close();
});

it("refuse what is not there, and make nothing", () => {
  const refused = (...args: string[]) => {
    const { status, stderr } = place.run(...args);
    return [status, /selfsame: (\w+):/.exec(stderr)?.[1]];
  };
  expect(refused("snapshot", "notes", "--data", "nowhere")).toEqual([1, "FILE_MISSING"]);
  expect(existsSync(place.path("nowhere"))).toBe(false);
  expect(refused("snapshot", "others", "--data", "data")).toEqual([1, "FILE_MISSING"]);
  expect(refused("snapshot", "../notes", "--data", "data")).toEqual([1, "BAD_NAMESPACE"]);
  expect(refused("restore", "others", "data/snapshots/notes", "--data", "data")).toEqual([1, "BAD_SNAPSHOT"]);
  expect(existsSync(place.path("data/namespaces/others"))).toBe(false);
  expect(refused("restore", "notes", "nowhere", "--data", "data")).toEqual([1, "BAD_SNAPSHOT"]);
});
