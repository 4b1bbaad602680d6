import { extname, join } from "node:path";
import fc from "fast-check";
import type { DocumentInput } from "selfsame";
import { describe, expect, test } from "vitest";
import { checkIntegrity } from "#dist/store/schema.js";
import { scratchFolder } from "../store/scratch.ts";
import { type Opened, openTiny } from "./opened.ts";
import { EXTRAS, LEXICAL_QUERIES, PATHS, SEMANTIC_QUERIES, TEXTS } from "./pool.ts";
import { type LibraryState, stateOf } from "./state.ts";

const HISTORIES = import.meta.env.MODE === "long" ? 300 : 30;
const folder = scratchFolder();
/** Small segments: they are split and merged all the time. */
const OPTIONS = { index: "hnsw", segment: 9 } as const;

/** A step of a history; documents are (path, text, extras) by number. */
type Step =
  | { readonly do: "add"; readonly documents: readonly Numbers[]; readonly force: boolean }
  | { readonly do: "add at once"; readonly batches: readonly (readonly Numbers[])[] }
  | { readonly do: "remove"; readonly paths: readonly number[] }
  | { readonly do: "rename"; readonly from: number; readonly to: number }
  /** Brings the vectors into memory: from here on they follow each change. */
  | { readonly do: "look" }
  | { readonly do: "reopen" };
type Numbers = readonly [path: number, text: number, extras: number];

const below = (count: number) => fc.nat({ max: count - 1 });
const documents = fc.uniqueArray(fc.tuple(below(PATHS.length), below(TEXTS.length), below(EXTRAS.length)), {
  selector: ([path]) => path,
  minLength: 1,
  maxLength: 8,
});
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant("add" as const), documents, force: fc.boolean() }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("add at once" as const),
        batches: fc.array(documents, { minLength: 2, maxLength: 3 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("remove" as const),
        paths: fc.uniqueArray(below(PATHS.length), { minLength: 1, maxLength: 4 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("rename" as const),
        from: below(PATHS.length),
        to: below(PATHS.length),
      }),
    },
    { weight: 2, arbitrary: fc.constant({ do: "look" as const }) },
    { weight: 2, arbitrary: fc.constant({ do: "reopen" as const }) },
  ),
  { minLength: 1, maxLength: 12 },
);

function documentOf([path, text, extras]: Numbers): DocumentInput {
  return { path: PATHS[path]!, text: TEXTS[text]!, ...EXTRAS[extras]! };
}

/** What a history must end in: the last document of each path. */
class Model {
  readonly held = new Map<string, DocumentInput>();

  put(added: readonly DocumentInput[]): void {
    for (const document of added) this.held.set(document.path, document);
  }
}

async function take(opened: Opened, model: Model, step: Step): Promise<void> {
  const { library, parts } = opened;
  switch (step.do) {
    case "add": {
      const added = step.documents.map(documentOf);
      await library.add(added, { force: step.force });
      return model.put(added);
    }
    case "add at once": {
      const batches = step.batches.map((batch) => batch.map(documentOf));
      await Promise.all(batches.map((batch) => library.add(batch)));
      return batches.forEach((batch) => {
        model.put(batch);
      });
    }
    case "remove": {
      const paths = step.paths.map((path) => PATHS[path]!);
      const { removed, missing } = await library.remove(paths);
      expect(missing).toStrictEqual(paths.filter((path) => !model.held.has(path)));
      expect(removed).toBe(paths.length - missing.length);
      for (const path of paths) model.held.delete(path);
      return;
    }
    case "rename": {
      const [from, to] = [PATHS[step.from]!, PATHS[step.to]!];
      const moved = model.held.get(from);
      if (moved === undefined || from === to) return;
      const added = [{ ...moved, path: to }];
      // Half of the clients take the old path out first.
      if (step.from % 2 === 0) await library.remove([from]);
      const { embedded } = await library.add(added);
      // Under another extension a text may be cut at other places.
      if (extname(from) === extname(to)) expect(embedded).toBe(0);
      if (step.from % 2 !== 0) await library.remove([from]);
      model.held.delete(from);
      return model.put(added);
    }
    case "look":
      await parts.semantic.current(await library.root());
      return;
    case "reopen":
      return;
  }
}

async function walk(name: string, history: readonly Step[], model: Model): Promise<LibraryState> {
  let opened = await openTiny(name, OPTIONS);
  try {
    for (const step of history) {
      if (step.do === "reopen" && name !== ":memory:") {
        await opened.library.close();
        opened = await openTiny(name, OPTIONS);
      } else await take(opened, model, step);
    }
    checkIntegrity(opened.parts.database);
    return await stateOf(opened, LEXICAL_QUERIES, SEMANTIC_QUERIES);
  } finally {
    await opened.library.close();
  }
}

async function fromScratch(wanted: readonly DocumentInput[]): Promise<LibraryState> {
  const opened = await openTiny(":memory:", OPTIONS);
  try {
    await opened.library.add(wanted);
    return await stateOf(opened, LEXICAL_QUERIES, SEMANTIC_QUERIES);
  } finally {
    await opened.library.close();
  }
}

let files = 0;

describe.each([
  { kind: "in memory", name: () => ":memory:", share: 0.4 },
  { kind: "in a file", name: () => join(folder, `${files++}.db`), share: 0.6 },
])("whatever its history, a library $kind", ({ name, share }) => {
  test("is the one made from scratch: root, chunks, scores, graph, answers", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const model = new Model();
        const state = await walk(name(), history, model);
        expect(state).toStrictEqual(await fromScratch([...model.held.values()].reverse()));
      }),
      { numRuns: Math.ceil(HISTORIES * share), interruptAfterTimeLimit: 3_600_000 },
    );
  });
});

test("the pool is what it claims to be", async () => {
  const opened = await openTiny(":memory:", OPTIONS);
  await opened.library.add(TEXTS.map((text, i) => ({ path: `${i}.md`, text })));
  const state = await stateOf(opened, LEXICAL_QUERIES, SEMANTIC_QUERIES);
  expect(LEXICAL_QUERIES).toHaveLength(50);
  const found = state.lexical.filter((hits) => hits.length > 0);
  expect(found.length).toBeGreaterThanOrEqual(45);
  const chunks = state.chunks.flat();
  expect(state.chunks.filter((own) => own.length === 0).length).toBeGreaterThan(1);
  expect(new Set(chunks.map(({ text }) => text)).size).toBeLessThan(chunks.length);
  expect(state.graph[0]!.length).toBe(20);
  await opened.library.close();
});
