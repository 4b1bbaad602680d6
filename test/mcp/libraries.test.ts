/** Open libraries are shared, few, and never of a file that is no longer there. */
import { cpSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { open } from "selfsame";
import { afterEach, beforeAll, expect, test } from "vitest";
import { Libraries } from "#dist/mcp/libraries.js";
import { scratchFolder } from "../store/scratch.ts";

const folder = scratchFolder();
const OPEN = { model: "tiny", workers: 1 };
const file = (name: string) => join(folder, `${name}.db`);
let libraries: Libraries;

beforeAll(async () => {
  const library = await open(file("made"), OPEN);
  await library.add([{ path: "a.md", text: "Alpha." }]);
  await library.close();
  for (const name of ["a", "b", "c", "d"]) cpSync(file("made"), file(name));
});
afterEach(() => libraries.close());

test("users of one file share one library, and use it at the same time", async () => {
  libraries = new Libraries(OPEN);
  const used = await Promise.all([1, 2, 3].map(() => libraries.use(file("a"), (library) => library)));
  expect(new Set(used).size).toBe(1);
  expect(libraries.size).toBe(1);
});

test("of more than are kept, the least recently used is closed, and opened again when asked for", async () => {
  libraries = new Libraries(OPEN, { keptMax: 2 });
  const first = await libraries.use(file("a"), (library) => library);
  await libraries.use(file("b"), () => undefined);
  await libraries.use(file("a"), () => undefined);
  await libraries.use(file("c"), () => undefined);
  expect(libraries.size).toBe(2);
  expect(await libraries.use(file("a"), (library) => library)).toBe(first); // b made room
  await libraries.use(file("b"), (library) => library.search("alpha"));
  expect(libraries.size).toBe(2);
});

test("what is in use is not closed, however many there are", async () => {
  libraries = new Libraries(OPEN, { keptMax: 1 });
  const names = ["a", "b", "c", "d"].map(file);
  let arrived = 0;
  const counts = await Promise.all(
    names.map((name) =>
      libraries.use(name, async (library) => {
        arrived++;
        while (arrived < names.length) await new Promise((resolve) => setTimeout(resolve, 1));
        return (await library.search("alpha")).results.length;
      }),
    ),
  );
  expect(counts).toStrictEqual([1, 1, 1, 1]);
  expect(libraries.size).toBe(1);
});

test("one that nobody uses is closed after a while", async () => {
  libraries = new Libraries(OPEN, { idleMs: 20 });
  const library = await libraries.use(file("a"), (each) => each);
  while (libraries.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await libraries.use(file("a"), (each) => expect(each).not.toBe(library));
});

test("a file that was replaced is opened anew", async () => {
  libraries = new Libraries(OPEN);
  const paths = () =>
    libraries.use(file("a"), async (library) => (await library.documents()).map(({ path }) => path));
  expect(await paths()).toStrictEqual(["a.md"]);
  const other = await open(file("other"), OPEN);
  await other.add([{ path: "other.md", text: "Other." }]);
  await other.close();
  renameSync(file("other"), file("a"));
  expect(await paths()).toStrictEqual(["other.md"]);
  rmSync(file("a"));
  await expect(paths()).rejects.toMatchObject({ code: "FILE_MISSING" });
  cpSync(file("made"), file("a"));
  expect(await paths()).toStrictEqual(["a.md"]);
});

test("one that could not be opened can be opened later", async () => {
  libraries = new Libraries({ ...OPEN, model: "no-such-model" });
  await expect(libraries.use(file("b"), () => undefined)).rejects.toMatchObject({ code: "FILE_MISSING" });
  expect(libraries.size).toBe(0);
});

test("a write that was cancelled while it waited does nothing", async () => {
  libraries = new Libraries(OPEN);
  const stop = new AbortController();
  const options = { rebuild: false, signal: stop.signal };
  const idle = new AbortController().signal;
  const first = libraries.write(
    file("c"),
    { rebuild: false, signal: idle },
    () => new Promise((resolve) => setTimeout(resolve, 50)),
  );
  const second = libraries.write(file("c"), options, async () => "written");
  stop.abort(new Error("enough"));
  await expect(second).rejects.toMatchObject({ code: "ABORTED", cause: new Error("enough") });
  await first;
  expect(libraries.isWritten(file("c"))).toBe(false);
});
