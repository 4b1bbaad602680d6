/** Snapshots: written while others write, checked as a whole before anything changes, restored on an empty machine. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Namespaces, openNamespaces, type SearchAnswer } from "selfsame";
import { describe, expect, it } from "vitest";
import { openDatabase } from "#dist/store/open.node.js";
import { codeOf, document, documents, folderForEachTest } from "./folder.ts";

const isLong = import.meta.env.MODE === "long";
const data = folderForEachTest();

const QUERIES = ["fox number 3", "owl", "number 7 is here", "nothing of this"];
async function answers(namespaces: Namespaces, name: string): Promise<Omit<SearchAnswer, "timings">[]> {
  const library = await namespaces.get(name);
  return Promise.all(
    QUERIES.map(async (query) => {
      const { timings, ...answer } = await library.search(query, { explain: true });
      return answer;
    }),
  );
}

const snapshotsOf = (name: string) =>
  readdirSync(join(data.path, "snapshots", name)).filter((entry) => entry !== "current");
const flip = (file: string, at: number) => {
  const bytes = readFileSync(file);
  bytes[at]! ^= 1;
  writeFileSync(file, bytes);
};

describe("test_snapshot_restore", () => {
  it("gives the same answers before and after, on an empty machine", async () => {
    const count = isLong ? 10_000 : 60;
    const namespaces = await data.open();
    const library = await namespaces.get("Research");
    await library.add(documents("fox", count / 2).map((each) => ({ ...each, metadata: { kind: "fox" } })));
    await library.add(documents("owl", count / 2));
    const before = await answers(namespaces, "Research");
    const stats = await library.stats();
    const { folder, metadata } = await namespaces.snapshot("Research");
    expect(metadata).toMatchObject({
      ...{
        namespace: "Research",
        ntotal: count,
        documents: count,
        index_type: "Flat",
        snapshot_version: "1.0",
      },
      ...{ root: stats.root, metadata_root: stats.metadataRoot, canon: stats.canon },
      config_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect(JSON.parse(readFileSync(join(folder, "metadata.json"), "utf8"))).toEqual(metadata);
    expect(readdirSync(folder).sort()).toEqual([
      "library.db",
      "metadata.json",
      "uuid_registry.jsonl",
      "vectors.index",
    ]);
    for (const [file, { bytes, sha256 }] of Object.entries(metadata.files)) {
      const content = readFileSync(join(folder, file));
      expect([content.length, createHash("sha256").update(content).digest("hex")]).toEqual([bytes, sha256]);
    }
    expect(folder).toMatch(new RegExp(`/snapshots/=52esearch/\\d{8}T\\d{9}Z-${stats.root}$`));

    const elsewhere = join(data.path, "elsewhere");
    cpSync(join(data.path, "snapshots"), join(elsewhere, "snapshots"), { recursive: true });
    const copied = join(elsewhere, "snapshots", "=52esearch");
    const empty = await openNamespaces(join(data.path, "empty"), { model: "tiny" });
    await empty.restore("Research", copied);
    expect(await answers(empty, "Research")).toEqual(before);
    expect((await (await empty.get("Research")).check({ full: true })).isSound).toBe(true);
    await empty.close();

    // At a start without a library, the snapshot is read without being asked for.
    const cold = await openNamespaces(elsewhere, { model: "tiny", readers: 1 });
    expect(await cold.list()).toEqual(["Research"]);
    expect(await answers(cold, "Research")).toEqual(before);
    expect(await cold.stats()).toMatchObject({ Research: { degraded: false, ntotal: count } });
    await cold.close();
  });

  it("replaces what is there at once, also for those who have it open here and in another process", async () => {
    const namespaces = await data.open();
    const other = await data.open();
    const library = await namespaces.get("a");
    await library.add(documents("fox", 3));
    const root = await library.root();
    const { folder } = await namespaces.snapshot("a");
    await library.add(documents("owl", 3));
    const elsewhere = await other.get("a");
    expect(await elsewhere.documents()).toHaveLength(6);
    await namespaces.restore("a", folder);
    expect(await library.root()).toBe(root);
    expect(await elsewhere.root()).toBe(root);
    expect((await elsewhere.search("fox number 1")).results).toHaveLength(3);
    await elsewhere.add([document("new", 1)]);
    expect(await library.documents()).toHaveLength(4);
    expect(readdirSync(join(data.path, "namespaces/a"))).toEqual(["library.db"]);
  });

  it("replaces a damaged library if asked to, and never by itself", async () => {
    const namespaces = await data.open();
    await (await namespaces.get("a")).add(documents("fox", 3));
    const { folder } = await namespaces.snapshot("a");
    await namespaces.close();
    const file = join(data.path, "namespaces/a/library.db");
    for (let at = 0; at < readFileSync(file).length; at += 4096) flip(file, at + 200);
    const again = await data.open();
    expect(await codeOf(again.get("a").then((library) => library.documents()))).toBe("DATABASE_CORRUPT");
    expect((await again.stats())["a"]).toMatchObject({ degraded: true });
    await again.restore("a", folder);
    expect(await (await again.get("a")).documents()).toHaveLength(3);
  });
});

describe("test_uuid_faiss_id_bijection", () => {
  it("holds in both directions, and rows of the index are the vectors", async () => {
    const count = isLong ? 1000 : 200;
    const namespaces = await data.open();
    const library = await namespaces.get("a");
    const inRandomOrder = documents("fox", count).sort((a, b) => (hash(a.path) < hash(b.path) ? -1 : 1));
    for (let from = 0; from < count; from += count / 4)
      await library.add(inRandomOrder.slice(from, from + count / 4));
    // Equal texts under two paths are two chunks with one vector.
    await library.add([{ path: "twin.md", text: document("fox", 1).text }]);
    const { folder, metadata } = await namespaces.snapshot("a");
    const lines = readFileSync(join(folder, "uuid_registry.jsonl"), "utf8").trimEnd().split("\n");
    const entries = lines.map((line) => JSON.parse(line) as { uuid: string; faiss_id: number });
    expect(entries).toHaveLength(count + 1);
    expect(entries.map(({ faiss_id }) => faiss_id)).toEqual(entries.map((_, i) => i));
    const uuids = entries.map(({ uuid }) => uuid);
    expect(uuids).toEqual([...new Set(uuids)].sort());
    for (const uuid of uuids) expect(uuid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

    const index = readFileSync(join(folder, "vectors.index"));
    expect(index.subarray(0, 8).toString()).toBe("SELFVECS");
    expect([8, 12, 16].map((at) => index.readUInt32LE(at))).toEqual([1, metadata.dimension, count + 1]);
    const bytes = metadata.dimension * 2;
    expect(index.length).toBe(32 + (count + 1) * bytes);
    const database = await openDatabase(join(folder, "library.db"));
    for (const { uuid, faiss_id } of entries) {
      const id = Uint8Array.from(Buffer.from(uuid.replaceAll("-", ""), "hex"));
      const row = database.get<{ vector: Uint8Array }>(
        "SELECT vector FROM chunks JOIN embeddings USING (textHash) WHERE chunkId = ?",
        [id],
      );
      const at = 32 + faiss_id * bytes;
      expect(index.subarray(at, at + bytes).equals(Buffer.from(row!.vector))).toBe(true);
    }
    database.close();
  });

  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
});

describe("test_snapshot_missing", () => {
  const prepare = async () => {
    const namespaces = await data.open();
    await (await namespaces.get("a")).add(documents("fox", 3));
    const { folder } = await namespaces.snapshot("a");
    await namespaces.close();
    rmSync(join(data.path, "namespaces"), { recursive: true });
    return folder;
  };

  it("gives an empty namespace with a warning if it was deleted after the start", async () => {
    await prepare();
    const namespaces = await data.open();
    rmSync(join(data.path, "snapshots"), { recursive: true });
    expect(await (await namespaces.get("a")).documents()).toEqual([]);
    expect((await namespaces.search("a", "fox")).results).toEqual([]);
    const { a } = await namespaces.stats();
    expect(a).toMatchObject({ degraded: true, ntotal: 0, last_snapshot: null });
    expect(a!.warnings).toEqual([expect.stringContaining("BAD_SNAPSHOT")]);
    await (await namespaces.get("a")).add(documents("owl", 1));
    expect(await (await namespaces.get("a")).documents()).toHaveLength(1);
  });

  it("gives the same for a damaged one", async () => {
    flip(join(await prepare(), "library.db"), 5000);
    const namespaces = await data.open();
    expect(await (await namespaces.get("a")).documents()).toEqual([]);
    expect((await namespaces.stats())["a"]).toMatchObject({ degraded: true });
  });

  const DAMAGES: Record<string, (folder: string) => void> = {
    "a flipped bit of the library": (folder) => flip(join(folder, "library.db"), 5000),
    "a flipped bit of the vectors": (folder) => flip(join(folder, "vectors.index"), 40),
    "a shorter registry": (folder) => truncateSync(join(folder, "uuid_registry.jsonl"), 10),
    "no library": (folder) => rmSync(join(folder, "library.db")),
    "no metadata": (folder) => rmSync(join(folder, "metadata.json")),
    "metadata that is no JSON": (folder) => writeFileSync(join(folder, "metadata.json"), "{"),
    "endless metadata": (folder) => writeFileSync(join(folder, "metadata.json"), " ".repeat(2 << 20)),
    "a digest of other bytes": (folder) => {
      const file = join(folder, "metadata.json");
      writeFileSync(file, readFileSync(file, "utf8").replace(/"sha256": ".{4}/, '"sha256": "0000'));
    },
    "the root of other documents": (folder) => {
      const file = join(folder, "metadata.json");
      writeFileSync(file, readFileSync(file, "utf8").replace(/"root": ".{4}/, '"root": "0000'));
    },
    "a current that leads out of the folder": (folder) => writeFileSync(join(folder, "current"), "../../x\n"),
    "a link in the place of the library": (folder) => {
      rmSync(join(folder, "library.db"));
      symlinkSync(join(data.path, "real.db"), join(folder, "library.db"));
    },
    "a link in the place of the metadata": (folder) => {
      rmSync(join(folder, "metadata.json"));
      symlinkSync(join(data.path, "real.json"), join(folder, "metadata.json"));
    },
  };

  it("is not restored by hand if anything of it is damaged, and nothing changes", async () => {
    const folder = await prepare();
    cpSync(join(folder, "library.db"), join(data.path, "real.db"));
    cpSync(join(folder, "metadata.json"), join(data.path, "real.json"));
    const namespaces = await data.open();
    const library = await namespaces.get("a");
    await library.add(documents("owl", 2));
    const root = await library.root();
    for (const [what, damage] of Object.entries(DAMAGES)) {
      const damaged = join(data.path, "damaged");
      cpSync(folder, damaged, { recursive: true });
      damage(damaged);
      const code = await codeOf(namespaces.restore("a", damaged));
      expect(["BAD_SNAPSHOT", "DATABASE_CANNOT_OPEN"], what).toContain(code);
      rmSync(damaged, { recursive: true });
    }
    expect(await library.root()).toBe(root);
    expect(readdirSync(join(data.path, "namespaces/a"))).toEqual(["library.db"]);
  });

  it("keeps older snapshots of a namespace that could not be restored", async () => {
    const folder = await prepare();
    flip(join(folder, "library.db"), 5000);
    const namespaces = await data.open();
    await (await namespaces.get("a")).add(documents("owl", 1));
    for (let i = 0; i < 2; i++) await namespaces.snapshot("a");
    expect(snapshotsOf("a")).toHaveLength(3);
  });
});

describe("snapshots of a folder", () => {
  it("are two at most, and current names the newest", async () => {
    const namespaces = await data.open();
    const library = await namespaces.get("a");
    for (let i = 0; i < 3; i++) {
      await library.add([document("fox", i)]);
      const { folder } = await namespaces.snapshot("a");
      expect(readFileSync(join(data.path, "snapshots/a/current"), "utf8")).toBe(
        `${folder.split("/").at(-1)}\n`,
      );
    }
    expect(snapshotsOf("a")).toHaveLength(2);
  });

  it("are refused for another namespace, a missing one and a missing folder", async () => {
    const namespaces = await data.open();
    await (await namespaces.get("a")).add(documents("fox", 1));
    const { folder } = await namespaces.snapshot("a");
    expect(await codeOf(namespaces.restore("b", folder))).toBe("BAD_SNAPSHOT");
    expect(await codeOf(namespaces.restore("a", join(data.path, "nowhere")))).toBe("BAD_SNAPSHOT");
    expect(await codeOf(namespaces.snapshot("nowhere"))).toBe("FILE_MISSING");
    expect(await codeOf(namespaces.snapshot("../a"))).toBe("BAD_NAMESPACE");
    expect(await codeOf(namespaces.restore("../a", folder))).toBe("BAD_NAMESPACE");
    await namespaces.drop("a");
    expect(existsSync(folder)).toBe(false);
    expect(await (await namespaces.get("a")).documents()).toEqual([]);
  });

  it("are whole while others write, here and in another process", async () => {
    const namespaces = await data.open();
    const library = await namespaces.get("a");
    await library.add(documents("fox", 5));
    const writer = promisify(execFile)(process.execPath, [
      "--input-type=module",
      "-e",
      `import { openNamespaces } from "selfsame";
       const namespaces = await openNamespaces(${JSON.stringify(data.path)}, { model: "tiny", workers: 1 });
       const library = await namespaces.get("a");
       for (let i = 0; i < 15; i++) await library.add([{ path: "child/" + i, text: "The child " + i }]);
       await namespaces.close();`,
    ]);
    let isDone = false;
    const done = writer.then(() => {
      isDone = true;
    });
    const roots = new Set<string>();
    for (let i = 0; !isDone || i < 2; i++) {
      await library.add([document("owl", i)]);
      const { folder, metadata } = await namespaces.snapshot("a");
      roots.add(metadata.root);
      const empty = await openNamespaces(join(data.path, `copy${i}`), { model: "tiny" });
      await empty.restore("a", folder);
      const restored = await empty.get("a");
      expect(await restored.root()).toBe(metadata.root);
      if (i === 0) expect((await restored.check()).isSound).toBe(true);
      await empty.close();
    }
    await done;
    expect(roots.size).toBeGreaterThan(1);
  });
});

describe("automatic snapshots", () => {
  it("are made after enough writes, at most so often, and at the end", async () => {
    const namespaces = await data.open({ snapshots: { intervalMs: 3_600_000, writes: 5 } });
    const library = await namespaces.get("a");
    await library.add(documents("fox", 4));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(existsSync(join(data.path, "snapshots"))).toBe(false);
    await library.add(documents("owl", 4));
    await expect
      .poll(() => existsSync(join(data.path, "snapshots/a/current")), { timeout: 600_000 })
      .toBe(true);
    await library.add(documents("elk", 9)); // the interval has not passed
    await namespaces.close();
    expect(snapshotsOf("a")).toHaveLength(2);
    const [last] = snapshotsOf("a").sort().reverse();
    const metadata = JSON.parse(
      readFileSync(join(data.path, "snapshots/a", last!, "metadata.json"), "utf8"),
    ) as object;
    expect(metadata).toMatchObject({ documents: 17 });
    const again = await data.open({ snapshots: true });
    await (await again.get("a")).search("fox");
    await again.close();
    expect(snapshotsOf("a")).toContain(last); // nothing was written, so nothing was made
  });
});
