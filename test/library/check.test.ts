/** `library.check()` finds what is wrong of a library, and says nothing of a sound one. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckOptions, Finding, OpenOptions } from "selfsame";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadEngine } from "#dist/engine/load.js";
import { checkVectors } from "#dist/library/check-vectors.js";
import { keepGraph, keepShape } from "#dist/library/kept-graph.js";
import { randomSample } from "#dist/library/random-sample.js";
import { VectorIndex } from "#dist/vectors/vector-index.js";
import { splitmix32 } from "../reference/prng.ts";
import { scratchFolder } from "../store/scratch.ts";
import { type Opened, openTiny } from "./opened.ts";
import { sampleDocument } from "./steps.ts";

const folder = scratchFolder();
/** Enough that the trees have nodes below their roots. */
const DOCUMENTS = 40;
const SUBJECTS = [
  "file",
  "access",
  "word index",
  "vocabulary",
  "root",
  "metadata root",
  "chunks",
  "vectors",
  "graph",
];

async function opened(name = ":memory:", options: OpenOptions = {}): Promise<Opened> {
  const all = await openTiny(name, options);
  await all.library.add(Array.from({ length: DOCUMENTS }, (_, i) => sampleDocument("notes", i)));
  return all;
}

/** A library, its damage, what the check says other than ok. */
async function found(
  damage: (opened: Opened) => unknown,
  options: OpenOptions = {},
  check: CheckOptions = {},
): Promise<Finding[]> {
  const all = await opened(":memory:", options);
  try {
    await damage(all);
    const { isSound, findings } = await all.library.check(check);
    expect(findings.map(({ subject }) => subject)).toEqual(SUBJECTS);
    const bad = findings.filter(({ verdict }) => verdict !== "ok");
    expect(isSound).toBe(bad.every(({ verdict }) => verdict === "warning"));
    for (const { wayOut } of bad) expect(wayOut).not.toBe("");
    return bad;
  } finally {
    await all.library.close();
  }
}

const sql =
  (...statements: string[]) =>
  ({ parts }: Opened) => {
    for (const statement of statements) parts.database.exec(statement);
  };
const one = "(SELECT documentId FROM documents WHERE path = 'notes/7.md')";

/** Builds the graph and leaves it in the database. */
async function withGraph({ library, parts }: Opened): Promise<void> {
  const index = await parts.semantic.current(await library.root());
  keep(parts, index.here(index.segments[0]!));
}

/** Leaves an index in the database as the graph of the one segment. */
function keep({ database, state }: Opened["parts"], index: VectorIndex): void {
  database.transaction(() => {
    keepGraph(database, "", state.subtree(""), index);
    keepShape(database, { segments: [""], bounds: new Map() });
  });
}

describe("a sound library", () => {
  it.each([{}, { index: "hnsw" }] as const)("has no finding, and not a byte changes: %o", async (options) => {
    const file = join(folder, `sound-${Object.keys(options).length}.db`);
    const made = await opened(file, options);
    if ("index" in options) await withGraph(made);
    await made.library.close();
    const bytes = readFileSync(file);
    const { library } = await openTiny(file, options);
    const told: Finding[] = [];
    const { isSound, findings } = await library.check({
      full: true,
      onFinding: (each) => told.push(each),
    });
    await library.close();
    expect(findings.map(({ subject, verdict }) => `${subject}: ${verdict}`)).toEqual(
      SUBJECTS.map((subject) => `${subject}: ok`),
    );
    expect(told).toEqual(findings);
    expect(isSound).toBe(true);
    const graph = findings.at(-1)!.detail;
    expect(graph).toMatch(
      "index" in options ? /equal to those rebuilt from [0-9]+ vectors/ : /^none is stored/,
    );
    expect(Buffer.compare(readFileSync(file), bytes)).toBe(0);
  });

  it("may be empty", async () => {
    const { library } = await openTiny(":memory:");
    expect((await library.check()).findings.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
    await library.close();
  });

  it("may have a graph of an earlier root", async () => {
    const bad = await found(
      async (all) => {
        await withGraph(all);
        await all.library.add([sampleDocument("notes", 99)]);
      },
      { index: "hnsw" },
    );
    expect(bad).toEqual([]);
  });

  it("may change while it is checked", async () => {
    const { library } = await opened();
    const check = library.check({ full: true });
    for (let i = 0; i < 30; i++) {
      await library.add([sampleDocument("more", i)]);
      await new Promise((resume) => setTimeout(resume, 5));
    }
    const { findings } = await check;
    expect(findings.filter(({ verdict }) => verdict === "problem")).toEqual([]);
    await library.close();
  });
});

describe("damage", () => {
  it.each<[what: string, damage: (opened: Opened) => unknown, said: Record<string, RegExp>]>([
    [
      "a text is another one",
      sql(`UPDATE texts SET text = 'Another text.\n' WHERE documentId = ${one}`),
      {
        root: /^notes\/7\.md has a text that does not match its hash$/,
        chunks: /^notes\/7\.md has 1 chunks? instead|^notes\/7\.md/,
      },
    ],
    [
      "two documents have changed their names",
      sql(
        "UPDATE documents SET path = 'x' WHERE path = 'notes/7.md'",
        "UPDATE documents SET path = 'notes/7.md' WHERE path = 'notes/8.md'",
        "UPDATE documents SET path = 'notes/8.md' WHERE path = 'x'",
      ),
      { root: /^notes\/7\.md has the wrong document id, and 1 more$/ },
    ],
    [
      "a text is gone",
      sql(`DELETE FROM texts WHERE documentId = ${one}`),
      { root: /^notes\/7\.md has no text$/, chunks: /^notes\/7\.md has [0-9]+ chunks instead of 0$/ },
    ],
    [
      "the root's node is of another set",
      ({ parts }) => parts.state.trees.text.update([{ id: new Uint8Array(16), value: new Uint8Array(32) }]),
      { root: /^expected [0-9a-f]{64} from the documents, got [0-9a-f]{64}$/ },
    ],
    [
      "a node below the root is wrong",
      sql(
        `UPDATE nodes SET record = (SELECT record FROM nodes WHERE tree = 'metadata' AND prefix <> '' LIMIT 1)
         WHERE tree = 'text' AND prefix = (SELECT prefix FROM nodes WHERE tree = 'text' AND prefix <> '' LIMIT 1)`,
      ),
      { root: /a node below it is not/ },
    ],
    [
      "a time is another one",
      sql(`UPDATE documents SET modifiedAt = 5 WHERE documentId = ${one}`),
      { "metadata root": /^expected [0-9a-f]{64}/ },
    ],
    [
      "a chunk is cut elsewhere",
      sql(`UPDATE chunks SET endByte = endByte - 1 WHERE documentId = ${one} AND sequence = 1`),
      { chunks: /^notes\/7\.md#1 does not match its document$/ },
    ],
    [
      "the hash of a chunk's terms is another one",
      sql(
        `UPDATE signatures SET simHash = zeroblob(8) WHERE chunk = (SELECT min(chunk) FROM chunks WHERE documentId = ${one})`,
      ),
      { chunks: /^notes\/7\.md#0 does not match its document$/ },
    ],
    [
      "a link is gone",
      sql(`DELETE FROM links WHERE documentId = ${one}`),
      { chunks: /^notes\/7\.md has other links than its text and metadata give$/ },
    ],
    [
      "a chunk is gone from chunks, not from the index of words",
      sql(`DELETE FROM chunks WHERE documentId = ${one} AND sequence = 0`),
      {
        file: /a row of signatures without its chunks/,
        "word index": /DATABASE_CORRUPT/,
        vocabulary: /is not counted as the chunks have it$/,
        chunks: /^notes\/7\.md has 1 chunk instead of 2$/,
      },
    ],
    [
      "a chunk is gone from the index of words",
      sql(`INSERT INTO search (search, rowid, text, headings)
           SELECT 'delete', chunk, text, headings FROM indexed WHERE chunk = 5`),
      { "word index": /DATABASE_CORRUPT/ },
    ],
    [
      "the length of a chunk is another",
      sql("UPDATE lengths SET lengths = CAST(zeroblob(10) || x'7f' || zeroblob(3989) AS BLOB)"),
      { "word index": /^the length of chunk 5 is not that of its text$/ },
    ],
    [
      "a word is counted once too often",
      sql("UPDATE words SET chunks = chunks + 1 WHERE word = (SELECT min(word) FROM words)"),
      { vocabulary: /is not counted as the chunks have it$/ },
    ],
    [
      "a word is missing",
      sql("DELETE FROM words WHERE word = (SELECT max(word) FROM words)"),
      { vocabulary: /is not counted as the chunks have it$/ },
    ],
    [
      "a document is gone, its chunks are not",
      sql(`DELETE FROM documents WHERE path = 'notes/7.md'`),
      {
        file: /a row of (texts|chunks|links) without its documents/,
        root: /^expected/,
        "metadata root": /^expected/,
      },
    ],
    [
      "a vector is missing",
      sql("DELETE FROM embeddings WHERE embedding = 3"),
      { vectors: /^1 of [0-9]+ chunks has none$/ },
    ],
    [
      "a vector has lost its end",
      sql("UPDATE embeddings SET vector = substr(vector, 3) WHERE embedding = 3"),
      { vectors: /^1 has a length other than 32$/, graph: /./ },
    ],
    [
      "metadata is no JSON",
      sql(`UPDATE documents SET metadata = '{' WHERE documentId = ${one}`),
      { "metadata root": /^notes\/7\.md has metadata that is not JSON$/ },
    ],
  ])("%s", async (_, damage, said) => {
    const bad = await found(damage);
    expect(bad.map(({ subject }) => subject)).toEqual(Object.keys(said));
    for (const { subject, detail, verdict } of bad) {
      expect(detail).toMatch(said[subject]!);
      expect(verdict).toBe("problem");
    }
  });

  it("no vectors at all: a warning, for words still answer", async () => {
    expect(await found(sql("DELETE FROM embeddings"))).toMatchObject([
      { subject: "vectors", verdict: "warning" },
    ]);
  });

  it("a graph of other vectors", async () => {
    const wrong = async ({ parts }: Opened) => {
      const { engine } = await loadEngine();
      const index = VectorIndex.create(engine, { dim: 32 });
      for (let i = 0; i < 50; i++) index.add(new Uint8Array(16).fill(i), new Int16Array(32).fill(i));
      keep(parts, index);
    };
    expect(await found(wrong, { index: "hnsw" })).toMatchObject([
      {
        subject: "graph",
        verdict: "problem",
        detail: expect.stringMatching(/^expected [0-9a-f]{64} from the vectors/),
      },
    ]);
  });

  it("segments that are not those of the vectors", async () => {
    const wrong = async (all: Opened) => {
      await all.library.prepare();
      await all.library.close();
    };
    const file = join(folder, "segments.db");
    const made = await opened(file, { index: "hnsw", segment: 20 });
    await wrong(made);
    const again = await openTiny(file);
    const sound = await again.library.check();
    expect(sound.findings.at(-1)).toMatchObject({ verdict: "ok", detail: expect.stringMatching(/segments/) });
    again.parts.database.exec("UPDATE segments SET bound = NULL WHERE segment = ''");
    const { findings } = await again.library.check();
    expect(findings.at(-1)).toMatchObject({ subject: "graph", verdict: "problem" });
    await again.library.close();
  });

  it("a graph in shreds: a warning, for it is made again", async () => {
    const shred = async (all: Opened) => {
      await withGraph(all);
      all.parts.database.exec("UPDATE graph SET bytes = zeroblob(length(bytes))");
    };
    expect(await found(shred, { index: "hnsw" })).toMatchObject([{ subject: "graph", verdict: "warning" }]);
  });

  it("a bit that turned on the disk", async () => {
    const file = join(folder, "flipped.db");
    await (await opened(file)).library.close();
    const bytes = readFileSync(file);
    // In the middle of a text, where SQLite itself would not notice.
    const at = bytes.indexOf("same order on all devices");
    bytes[at]! ^= 1;
    writeFileSync(file, bytes);
    const { library } = await openTiny(file);
    const { isSound, findings } = await library.check();
    expect(isSound).toBe(false);
    expect(findings[0]).toMatchObject({ subject: "file", verdict: "problem" });
    expect(findings[0]!.wayOut).toMatch(/Restore a backup/);
    await library.close();
  });
});

describe("one bit of one vector", () => {
  /** As many as the issue that this answers: 64 of them are 5.6 %. */
  const VECTORS = 1137;
  const WRONG = 700;
  const LOOKED = 64;
  let all: Opened;
  /** The number of the wrong vector in the order in which the check numbers them. */
  let wrong: number;

  beforeAll(async () => {
    all = await openTiny(":memory:");
    await all.library.add(
      Array.from({ length: VECTORS }, (_, i) => ({ path: `${i}.md`, text: `Note ${i} of many.\n` })),
    );
    const { database } = all.parts;
    const sql = "FROM embeddings ORDER BY textHash LIMIT 1 OFFSET";
    const { textHash, vector } = database.get<{ textHash: Uint8Array; vector: Uint8Array }>(
      `SELECT textHash, vector ${sql} ${WRONG}`,
    )!;
    wrong = database
      .all<{ textHash: Uint8Array }>("SELECT DISTINCT textHash FROM chunks ORDER BY textHash")
      .findIndex((row) => Buffer.compare(row.textHash, textHash) === 0);
    database.run("UPDATE embeddings SET vector = ? WHERE textHash = ?", [
      vector.map((byte, i) => (i === 0 ? byte ^ 1 : byte)),
      textHash,
    ]);
  });
  afterAll(() => all.library.close());

  it("is found by a full check, which says so", async () => {
    const { isSound, findings } = await all.library.check({ full: true });
    expect(isSound).toBe(false);
    expect(findings.filter(({ verdict }) => verdict !== "ok")).toMatchObject([
      {
        subject: "vectors",
        verdict: "problem",
        detail: expect.stringMatching(
          new RegExp(
            `a vector other than the one that tiny gives here; ${wrong + 1} of ${VECTORS} vectors re-embedded$`,
          ),
        ),
      },
    ]);
  });

  it("is found if and only if it is chosen, and the finding says how much was looked at, and what that is worth", async () => {
    const chosen = Array.from({ length: LOOKED }, (_, i) => wrong + 1 + i);
    const missed = await checkVectors(all.parts, LOOKED, undefined, (...asked) => {
      expect(asked).toEqual([LOOKED, VECTORS]);
      return chosen;
    });
    expect(missed).toMatchObject({ verdict: "ok" });
    expect(missed.detail).toContain(`${LOOKED} of ${VECTORS} vectors re-embedded, equal to the bit`);
    expect(missed.detail).toContain("a probability of 5.6 %, and always by a full check");
    const hit = await checkVectors(all.parts, LOOKED, undefined, () => [...chosen.slice(1), wrong]);
    expect(hit).toMatchObject({ verdict: "problem" });
    expect(hit.detail).toContain(`; ${LOOKED} of ${VECTORS} vectors re-embedded`);
  });

  it("takes 64 by default, or as many as are asked for, or all there are", async () => {
    for (const [options, count] of [
      [{}, LOOKED],
      [{ embeddings: 3 }, 3],
      [{ embeddings: 0 }, 0],
    ] as const) {
      const { findings } = await all.library.check(options);
      const { detail, verdict } = findings.find(({ subject }) => subject === "vectors")!;
      const looked = Number(/([0-9]+) of 1137 vectors re-embedded/.exec(detail)![1]);
      // The wrong vector ends it early, if it is met.
      if (verdict === "ok") expect(looked).toBe(count);
      else expect(looked).toBeLessThanOrEqual(count);
    }
    const few = await opened();
    const { chunks } = await few.library.stats();
    const { findings } = await few.library.check({ embeddings: 1_000_000 });
    expect(findings.find(({ subject }) => subject === "vectors")!.detail).toMatch(
      new RegExp(`^of all ${chunks} chunks; all [0-9]+ vectors re-embedded, equal to the bit$`),
    );
    await few.library.close();
  });

  // 300 checks of 284 of 1,137 vectors find it 75 times on average, with a standard deviation of 7.5.
  it.runIf(import.meta.env.MODE === "long")(
    "is found with the probability that is stated",
    { timeout: 1_200_000 },
    async () => {
      let finds = 0;
      for (let i = 0; i < 300; i++)
        if ((await checkVectors(all.parts, 284, undefined)).verdict === "problem") finds++;
      expect(finds).toBeGreaterThan(75 - 5 * 7.5);
      expect(finds).toBeLessThan(75 + 5 * 7.5);
    },
  );
});

describe("a random sample", () => {
  it("is a set of its size, of numbers below the whole, in order", () => {
    for (const [count, of] of [
      [0, 0],
      [0, 5],
      [1, 1],
      [5, 5],
      [64, 1137],
      [2000, 1137],
    ] as const) {
      const sample = randomSample(count, of);
      expect(new Set(sample).size).toBe(Math.min(count, of));
      expect(sample).toEqual([...sample].sort((a, b) => a - b));
      expect(sample.every((each) => each >= 0 && each < of)).toBe(true);
    }
  });

  it("differs each time", () => {
    // Two equal ones have the probability of 1 in 10¹⁰⁵.
    expect(randomSample(64, 1137)).not.toEqual(randomSample(64, 1137));
  });

  it("has each number with the same probability", () => {
    const draws = splitmix32(7);
    const [count, of, times] = [3, 10, 20_000];
    const seen = new Array<number>(of).fill(0);
    for (let i = 0; i < times; i++) for (const each of randomSample(count, of, draws)) seen[each]!++;
    const [mean, deviation] = [(times * count) / of, Math.sqrt(times * 0.3 * 0.7)];
    for (const each of seen) expect(Math.abs(each - mean)).toBeLessThan(5 * deviation);
  });

  it("draws again what would favour small numbers", () => {
    // 2³² − 1 is a multiple of 5: with one number more, 0 would have one chance more than the others.
    const draws = [2 ** 32 - 1, 7, 1];
    expect(randomSample(1, 5, () => draws.shift()!)).toEqual([2]);
    expect(draws).toEqual([1]);
  });
});

describe("the call", () => {
  it("stops at a signal", async () => {
    const { library } = await opened();
    const stop = new AbortController();
    const check = library.check({ signal: stop.signal, onFinding: () => stop.abort() });
    await expect(check).rejects.toMatchObject({ code: "ABORTED" });
    await library.close();
  });

  it("refuses a count that is none", async () => {
    const { library } = await openTiny(":memory:");
    for (const embeddings of [-1, 0.5, Number.NaN])
      await expect(library.check({ embeddings })).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
    await library.close();
  });
});
