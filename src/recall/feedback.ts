import { FEATURES, type FeatureName, type Features } from "./ranker.ts";

/** What a person accepted and rejected of an answer, as it is kept. SPEC §26.11 */
export interface FeedbackEvent {
  /** The query's canonical text. */
  readonly query: string;
  /** Ids of chunks, in order of their bytes. */
  readonly accepted: readonly string[];
  readonly rejected: readonly string[];
  /** When, in milliseconds since 1970: it tells two equal events apart. */
  readonly at: number;
  /** In thousandths: the mean of the accepted minus the mean of the rejected, by feature. */
  readonly differences: Readonly<Record<FeatureName, number>>;
}

/** How many events outweigh half of the caution. */
const CAUTION = 20;
/** No weight moves by more than this share of itself, in thousandths. */
const SHARE_MAX = 500;

/** Returns the differences of an event from the features of what was accepted and what was rejected. SPEC §26.11 */
export function differencesOf(
  accepted: readonly Features[],
  rejected: readonly Features[],
): Record<FeatureName, number> {
  const isComparable = accepted.length > 0 && rejected.length > 0;
  const mean = (some: readonly Features[], name: FeatureName) =>
    Math.floor(some.reduce((sum, each) => sum + Math.floor(each[name] * 1000 + 0.5), 0) / some.length);
  const entries = FEATURES.map((name) => [
    name,
    isComparable ? mean(accepted, name) - mean(rejected, name) : 0,
  ]);
  return Object.fromEntries(entries) as Record<FeatureName, number>;
}

/**
 * Returns the weights after all events: each moves by at most half of itself, toward features that what was accepted
 * has more of. Sums of whole numbers, so the order of events cannot matter. SPEC §26.11
 */
export function learnedWeights(
  weights: Features,
  events: readonly Pick<FeedbackEvent, "differences">[],
): Features {
  const entries = FEATURES.map((name) => {
    const sum = events.reduce((total, { differences }) => total + differences[name], 0);
    const mean = Math.trunc(sum / (events.length + CAUTION)); // thousandths, from −1000 to 1000
    const room = Math.floor(Math.abs(Math.fround(weights[name])) * SHARE_MAX); // thousandths
    const step = Math.trunc((mean * room) / 1000);
    return [name, Math.fround(Math.fround(weights[name]) + step / 1000)];
  });
  return Object.fromEntries(entries) as unknown as Features;
}
