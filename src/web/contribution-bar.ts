import type { FeatureName, RecalledMemory } from "selfsame/browser";
import { FEATURES } from "selfsame/browser";
import { element } from "./element.ts";

/** Features by what they speak of: each kind has a colour, and the features of a kind its shades. */
const KINDS: Readonly<Record<FeatureName, readonly [kind: string, shade: number]>> = {
  bm25: ["words", 1],
  tfidf_cosine: ["words", 2],
  cosine: ["meaning", 1],
  focus: ["meaning", 2],
  recency: ["person", 1],
  personalization: ["person", 2],
  affect_compat: ["person", 3],
  tom_alignment: ["person", 4],
  rrf: ["place", 1],
  source_prior: ["place", 2],
  length_penalty: ["place", 3],
};

/** What a feature means, for people. */
const MEANINGS: Readonly<Record<FeatureName, string>> = {
  bm25: "how well the words match",
  tfidf_cosine: "how much of the text the words are",
  cosine: "how near the meaning is",
  focus: "how near it is to what is in focus",
  recency: "how recent it is",
  personalization: "whether it is about the person who asks",
  affect_compat: "whether the mood fits",
  tom_alignment: "whether it fits what the person has in mind",
  rrf: "how high the stores ranked it",
  source_prior: "how far the store that found it is trusted",
  length_penalty: "whether it is very short",
};

interface Part {
  readonly name: FeatureName;
  readonly value: number;
}

/** Returns what a score is the sum of, without what adds nothing. */
export function partsOf({ contributions }: Pick<RecalledMemory, "contributions">): Part[] {
  return FEATURES.map((name) => ({ name, value: contributions[name] })).filter(({ value }) => value !== 0);
}

/** The length of a bar: the sum of what is added. */
export function reachOf(memory: Pick<RecalledMemory, "contributions">): number {
  return partsOf(memory).reduce((sum, { value }) => sum + Math.max(0, value), 0);
}

/**
 * Draws a score as stacked contributions, beside each other, in the order in which they are added. What is subtracted
 * is hatched, at the end.
 *
 * @param full the length of a bar that has the whole width
 */
export function contributionBar(memory: RecalledMemory, full: number): HTMLElement {
  const parts = partsOf(memory);
  const drawn = [...parts.filter(({ value }) => value > 0), ...parts.filter(({ value }) => value < 0)];
  const said = parts.map(({ name, value }) => `${name} ${value.toFixed(3)}`).join(", ");
  return element(
    "div",
    { class: "stack", role: "img", "aria-label": `Score ${memory.score.toFixed(3)}: ${said}` },
    ...drawn.map(({ name, value }) => {
      const part = element("span", {
        class: `part ${styleOf(name)}${value < 0 ? " less" : ""}`,
        title: `${name}: ${value.toFixed(3)}, ${MEANINGS[name]}`,
      });
      part.style.setProperty("--share", String(full > 0 ? Math.abs(value) / full : 0));
      return part;
    }),
  );
}

/** Lists the reasons, each beside the colour of its part. */
export function reasonList({ reasons }: RecalledMemory): HTMLElement {
  const items = reasons.map((reason) => {
    const name = FEATURES.find((each) => reason.startsWith(`${each}*`) || reason.startsWith(`${each}=`));
    return element(
      "li",
      { title: name === undefined ? null : MEANINGS[name] },
      name === undefined
        ? null
        : element("span", { class: `swatch ${styleOf(name)}`, "aria-hidden": "true" }),
      reason,
    );
  });
  return element("ul", { class: "reasons", "aria-label": "Reasons" }, ...items);
}

function styleOf(name: FeatureName): string {
  const [kind, shade] = KINDS[name];
  return `${kind} shade-${shade}`;
}
