/** Documents and operations for a cluster under test, drawn by a seed. */
import type { DocumentInput } from "#dist/index.js";
import { splitmix32 } from "../reference/prng.ts";

const WORDS = (
  "tree leaf root order digest shard query answer merge rank score vector text word chunk library machine cluster " +
  "worker server stream replica lease queue river stone music paper garden winter"
).split(" ");

export type Step =
  | { readonly op: "put"; readonly document: DocumentInput }
  | { readonly op: "remove"; readonly path: string };

export const QUERIES = [
  "root order of a tree",
  "garden winter",
  '"digest shard" merge',
  "river stone -music",
  "how are scores of a query merged",
];

export class Draws {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = splitmix32(seed);
  }

  below(n: number): number {
    return this.#next() % n;
  }

  #text(): string {
    const paragraphs = Array.from({ length: 1 + this.below(3) }, (_, i) => {
      const words = Array.from({ length: 5 + this.below(30) }, () => WORDS[this.below(WORDS.length)]);
      return i === 0
        ? `# ${words.slice(0, 3).join(" ")}\n\n${words.join(" ")}`
        : `## Part ${i}\n\n${words.join(" ")}`;
    });
    return paragraphs.join("\n\n");
  }

  document(number: number): DocumentInput {
    return {
      path: `notes/${number % 7}/note-${number}.md`,
      text: this.below(40) === 0 ? "" : this.#text(),
      modifiedAt: 1_700_000_000_000 + this.below(1_000_000),
      metadata: { lang: ["en", "de"][this.below(2)]! },
    };
  }

  /** Mostly new documents, some changes, some removals. */
  step(among: number): Step {
    const number = this.below(among);
    const kind = this.below(10);
    if (kind === 0) return { op: "remove", path: this.document(number).path };
    return { op: "put", document: this.document(number) };
  }
}
