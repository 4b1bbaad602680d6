/** The features of a candidate, in the order in which their contributions are added. SPEC §26.7 */
export const FEATURES = [
  "bm25",
  "tfidf_cosine",
  "cosine",
  "recency",
  "personalization",
  "affect_compat",
  "tom_alignment",
  "focus",
  "length_penalty",
  "source_prior",
  "rrf",
] as const;

/** The name of a feature. */
export type FeatureName = (typeof FEATURES)[number];

/** A number for each feature, each a binary32. */
export type Features = Readonly<Record<FeatureName, number>>;

/**
 * The weight of each feature. `bm25` and `tfidf_cosine` are the contract's. The others were chosen so that, without
 * dates, persons, links and focus, the order stays that of plain fusion on judged collections. SPEC §26.8
 */
export const WEIGHTS: Features = {
  bm25: 1,
  tfidf_cosine: 1.1,
  cosine: 2.5,
  recency: 0.35,
  personalization: 0.3,
  affect_compat: 0.15,
  tom_alignment: 0.15,
  focus: 0.4,
  length_penalty: -0.05,
  source_prior: 0.05,
  rrf: 1,
};

/** The greatest absolute value of a weight. */
export const WEIGHT_MAX = 1000;

/** A candidate's score with what it is the sum of. */
export interface Scored {
  /** A binary32. */
  readonly score: number;
  /** weight · feature, each a binary32. */
  readonly contributions: Features;
}

/** Returns Σ weight · feature, product by product and sum by sum in binary32, in the table's order. SPEC §26.8 */
export function scoreOf(features: Features, weights: Features): Scored {
  let score = 0;
  const contributions = {} as Record<FeatureName, number>;
  for (const name of FEATURES) {
    contributions[name] = Math.fround(Math.fround(weights[name]) * features[name]) + 0;
    score = Math.fround(score + contributions[name]);
  }
  return { score, contributions };
}

/** Returns the reasons of a score as the contract writes them; a feature that adds nothing gives none. SPEC §26.8 */
export function reasonsOf(contributions: Features, weights: Features, confidence: number): string[] {
  const reasons: string[] = [];
  for (const name of FEATURES) {
    const part = contributions[name];
    if (part === 0) continue;
    if (name === "rrf") reasons.push(`rrf=${part < 0 ? "" : "+"}${thousandths(part)}`);
    else reasons.push(`${name}*${hundredths(weights[name])}=${thousandths(part)}`);
  }
  reasons.push(`conf≈${hundredths(confidence)}`);
  return reasons;
}

/** By hand: toFixed is exact by definition, and so is this, but it also writes no -0.000. */
function thousandths(value: number): string {
  return decimal(value, 3);
}

function hundredths(value: number): string {
  return decimal(value, 2);
}

function decimal(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return /^-0\.?0*$/.test(text) ? text.slice(1) : text;
}
