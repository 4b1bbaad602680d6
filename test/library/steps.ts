import { writeFileSync } from "node:fs";
import type { DocumentInput } from "selfsame";
import type { Opened } from "./opened.ts";

/** One call of a library, as steps.child.mjs reads it. */
export type Step = { readonly add: readonly DocumentInput[] } | { readonly remove: readonly string[] };

export function writeSteps(file: string, steps: readonly Step[]): void {
  writeFileSync(file, JSON.stringify(steps));
}

export async function takeStep({ library }: Opened, step: Step): Promise<void> {
  if ("add" in step) await library.add(step.add);
  else await library.remove(step.remove);
}

/** Document `number` in its n-th version: two or three chunks of which one is in all documents. */
export function sampleDocument(folder: string, number: number, version = 0): DocumentInput {
  return {
    path: `${folder}/${number}.md`,
    text: `# Note ${number}\n\nThe number of this note is ${number * 7919 + version}.\n\n## Order\n\nThe same order on all devices.\n`,
    modifiedAt: number * 1000 + version,
    metadata: { number, version },
  };
}

/** Eight new documents a step; every third step changes earlier ones, every fifth takes some out. */
export function sampleSteps(count: number): Step[] {
  return Array.from({ length: count }, (_, step): Step => {
    const next = 40 + step * 8;
    const earlier = (offset: number) => next - 5 * offset;
    if (step % 3 === 2)
      return { add: [3, 4, 5].map((offset) => sampleDocument("notes", earlier(offset), step)) };
    if (step % 5 === 4) return { remove: [1, 2].map((offset) => `notes/${earlier(offset)}.md`) };
    return { add: Array.from({ length: 8 }, (_, i) => sampleDocument("notes", next + i)) };
  });
}
