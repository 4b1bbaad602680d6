/** One set of documents, libraries of many pasts: what they answer must not tell them apart. */
import { join } from "node:path";
import type { Build, DocumentInput, OpenOptions, SearchAnswer } from "selfsame";
import { type Opened, openTiny } from "../library/opened.ts";
import { DOCUMENTS } from "./documents.ts";

/** The answer as JSON, without the one part that may differ from run to run. */
export function printed({ timings: _timings, ...answer }: SearchAnswer): string {
  return JSON.stringify(answer);
}

const OTHERS: readonly DocumentInput[] = [
  { path: "gone.md", text: "The merkle tree that was taken out again. Ties, ties, ties." },
  { path: "aa.md", text: "A quick fox of the past." },
];

/** Each history ends in the same documents. */
const HISTORIES: Record<string, (opened: Opened, reopen: () => Promise<Opened>) => Promise<Opened>> = {
  "at once": async (opened) => {
    await opened.library.add(DOCUMENTS);
    return opened;
  },
  "backwards, one by one, searched meanwhile": async (opened) => {
    for (const document of [...DOCUMENTS].reverse()) {
      await opened.library.add([document]);
      await opened.library.search("ties");
    }
    return opened;
  },
  "with updates, removals and reopenings": async (first, reopen) => {
    await first.library.add([
      ...OTHERS,
      ...DOCUMENTS.map((each) => ({ ...each, text: `${each.text} before` })),
    ]);
    await first.library.search("merkle tree");
    const second = await reopen();
    await second.library.remove(["gone.md", "fox.txt"]);
    await second.library.add(DOCUMENTS.slice(5));
    await second.library.search("merkle tree");
    await second.library.remove(["aa.md"]);
    const third = await reopen();
    await third.library.add(DOCUMENTS.map((each) => ({ ...each, metadata: { old: true } })));
    await third.library.add([...DOCUMENTS].reverse(), { force: true });
    return third;
  },
};

export interface Self {
  readonly name: string;
  readonly opened: Opened;
}

/** A library for every build and history; files lie in `folder`. */
export async function makeSelves(folder: string, options: OpenOptions = {}): Promise<Self[]> {
  const selves: Self[] = [];
  for (const build of ["simd", "soft", "scalar"] as const satisfies readonly Build[]) {
    for (const [history, walk] of Object.entries(HISTORIES)) {
      const file = history.includes("reopenings") ? join(folder, `${selves.length}.db`) : ":memory:";
      let opened = await openTiny(file, { ...options, build });
      opened = await walk(opened, async () => {
        await opened.library.close();
        opened = await openTiny(file, { ...options, build });
        return opened;
      });
      selves.push({ name: `${build}, ${history}`, opened });
    }
  }
  return selves;
}
