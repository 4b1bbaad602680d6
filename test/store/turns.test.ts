/** Turns: one connection at a time, none starves, none waits for itself. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type SharedFiles, Turns } from "#dist/store/turns.js";

/** The lock of a few connections, with the queue and the asking of a browser's. */
class Place {
  holder: Turns | null = null;
  readonly #waiting: { readonly turns: Turns; got(): void }[] = [];
  readonly settled: string[] = [];
  full = false;

  connect(name: string): Turns {
    const files: SharedFiles = {
      take: () =>
        new Promise((got) => {
          this.#waiting.push({ turns, got });
          setTimeout(() => this.holder?.wanted());
          this.#next();
        }),
      settle: async () => {
        if (this.full) throw new Error("full");
        this.settled.push(name);
      },
      give: () => {
        expect(this.holder).toBe(turns);
        this.holder = null;
        this.#next();
      },
    };
    const turns = new Turns(files);
    return turns;
  }

  #next(): void {
    if (this.holder !== null || this.#waiting.length === 0) return;
    const { turns, got } = this.#waiting.shift()!;
    this.holder = turns;
    got();
    // Those behind ask again, as a browser's do.
    setTimeout(() => this.#waiting.length > 0 && this.holder?.wanted());
  }
}

const sleep = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 20 }));
afterEach(() => vi.useRealTimers());

it("are taken one after the other, by connections that ask at once", async () => {
  const place = new Place();
  const connections = ["a", "b", "c"].map((name) => place.connect(name));
  const count = connections.map(() => 0);
  await Promise.all(
    connections.map(async (turns, i) => {
      for (let round = 0; round < 20; round++) {
        await turns.use(async () => {
          expect(place.holder).toBe(turns);
          await sleep(i);
          expect(place.holder).toBe(turns);
        });
        count[i]!++;
        // Nobody runs far ahead.
        expect(Math.max(...count) - Math.min(...count)).toBeLessThan(20);
      }
    }),
  );
  expect(count).toEqual([20, 20, 20]);
});

it("let others in while a long part needs no files, and come back", async () => {
  const place = new Place();
  const [long, short] = [place.connect("long"), place.connect("short")];
  let isBetween = false;
  const work = long.use(async () => {
    await long.idle(async () => {
      isBetween = true;
      await sleep(500);
      isBetween = false;
    });
    expect(place.holder).toBe(long);
  });
  await sleep(10);
  await short.use(async () => {
    expect(isBetween).toBe(true);
    expect(place.holder).toBe(short);
  });
  await work;
});

it("do not wait for themselves: work that holds the files may wait for work that resumes", async () => {
  const place = new Place();
  const [ours, theirs] = [place.connect("ours"), place.connect("theirs")];
  let resumed = () => {};
  const first = ours.use(() =>
    ours.idle(async () => {
      await sleep(50);
    }),
  );
  const second = ours.use(async () => {
    await first;
    resumed();
  });
  const other = theirs.use(async () => expect(place.holder).toBe(theirs));
  await new Promise<void>((resolve) => {
    resumed = resolve;
  });
  await Promise.all([first, second, other]);
});

it("tell of what could not be kept, and go on", async () => {
  const place = new Place();
  const [ours, theirs] = [place.connect("ours"), place.connect("theirs")];
  place.full = true;
  await expect(ours.use(async () => 1)).rejects.toThrow("full");
  await expect(ours.use(() => ours.idle(async () => 1))).rejects.toThrow("full");
  place.full = false;
  expect(await ours.use(async () => 2)).toBe(2);
  expect(await theirs.use(() => theirs.idle(async () => 3))).toBe(3);
  expect(await ours.use(async () => 4)).toBe(4);
  expect(place.settled).toContain("theirs");
});

it("give the files back at rest, and at the end", async () => {
  const place = new Place();
  const turns = place.connect("a");
  await turns.use(async () => undefined);
  expect(place.holder).toBe(turns);
  await sleep(1100);
  expect(place.holder).toBeNull();
  await turns.use(async () => {
    turns.close();
    expect(place.holder).toBe(turns);
  });
  expect(place.holder).toBeNull();
});
