/** A long document does not hold up the thread: others get their turns, and a stop is heard soon. */
import { open } from "selfsame";
import { expect, test } from "vitest";
import { TINY } from "./opened.ts";

/** Measured: under 80 ms of the processor's time between two turns. Without turns it was more than 2,000. */
const GAP_CPU_MS_MAX = 400;
const STOP_CPU_MS_MAX = 1000;

const PARAGRAPHS = 110_000;
const lines = Array.from(
  { length: PARAGRAPHS },
  (_, i) =>
    `# Tree ${i}\n\nA tree has a root, and a leaf has none. Each *node* is hashed, \`n\` of them.\n\n- item\n\n`,
).join("");
const TEXTS = {
  "many blocks": lines,
  "one line": lines.replaceAll("\n", " "),
  "text without spaces": "漢字かな交じり文。".repeat(400_000),
};

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Counts turns of the event loop, and the processor's time between them: other work on the machine is not in it. */
class Turns {
  count = 0;
  longestMs = 0;
  #last = cpuMs();
  readonly #timer = setInterval(() => this.#turn(), 1);

  end(): void {
    this.#turn();
    clearInterval(this.#timer);
  }

  #turn(): void {
    const now = cpuMs();
    this.longestMs = Math.max(this.longestMs, now - this.#last);
    this.#last = now;
    this.count++;
  }
}

test.each(Object.entries(TEXTS))("turns while a document of 10 MB is added: %s", async (_, text) => {
  const library = await open(":memory:", TINY);
  await library.add([{ path: "first.md", text: "Loads the tokenizer and the model." }]);
  const turns = new Turns();
  const stop = new AbortController();
  // Progress is told once the document is chunked: what follows is embedding, which pauses after each text or so.
  const adding = library.add([{ path: "long.md", text }], {
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  await expect(adding).rejects.toMatchObject({ code: "ABORTED" });
  turns.end();
  expect(turns.count).toBeGreaterThan(10);
  expect(turns.longestMs).toBeLessThan(GAP_CPU_MS_MAX);
  expect(await library.stats()).toMatchObject({ documents: 1 });
  await library.close();
});

test("a stop is heard while a document of 10 MB is made canonical and chunked", async () => {
  const library = await open(":memory:", TINY);
  await library.add([{ path: "first.md", text: "Loads the tokenizer and the model." }]);
  for (const afterTurns of [1, 5, 20]) {
    const stop = new AbortController();
    let [turns, stoppedMs] = [0, 0];
    const timer = setInterval(() => {
      if (++turns !== afterTurns) return;
      stoppedMs = cpuMs();
      stop.abort();
    }, 1);
    const adding = library.add([{ path: "long.md", text: lines }], { signal: stop.signal });
    await expect(adding).rejects.toMatchObject({ code: "ABORTED" });
    clearInterval(timer);
    expect(cpuMs() - stoppedMs).toBeLessThan(STOP_CPU_MS_MAX);
    expect(stoppedMs).toBeGreaterThan(0);
  }
  expect(await library.stats()).toMatchObject({ documents: 1 });
  await library.close();
});
