import type { Engine } from "../engine/engine.ts";
import { parseInstant } from "../search/instant.ts";
import { SCALE } from "../vectors/vector.ts";

/** A feeling, each number from −1 to 1. SPEC §26.7 */
export interface Affect {
  /** From unpleasant to pleasant. */
  readonly valence: number;
  /** From calm to excited. */
  readonly arousal: number;
}

/** The metadata of a document; null for none. */
export type DocumentMetadata = { readonly [name: string]: unknown } | null;

/** How fast memories fade: 14 days, in milliseconds. SPEC §26.7 */
export const RECENCY_TAU = 14 * 24 * 3_600_000;
/** Chunks of fewer tokens than this are penalised. SPEC §26.7 */
const LENGTH_ENOUGH = 32;
/** What a document one link away from the focused one gets at least. */
const LINKED_FOCUS = 0.5;
/** How far a store's own order is trusted. SPEC §26.7 */
const PRIORS: Readonly<Record<string, number>> = { fts: 1, vector: 1, tfidf: 0.75, kg: 0.5 };
const APPLICATION_PRIOR = 0.5;

const view = new DataView(new ArrayBuffer(4));

/** Returns the engine's e^x of a binary32. SPEC §3.1 */
export function exp32(engine: Engine, x: number): number {
  view.setFloat32(0, x);
  view.setUint32(0, engine.exports.f32_exp(view.getUint32(0)) >>> 0);
  return view.getFloat32(0);
}

/** Returns the engine's square root of a binary32. SPEC §2 */
export function sqrt32(engine: Engine, x: number): number {
  view.setFloat32(0, x);
  view.setUint32(0, engine.exports.f32_sqrt(view.getUint32(0)) >>> 0);
  return view.getFloat32(0);
}

/** Returns the binary32 of a bit pattern. */
export function binary32(bits: number): number {
  view.setUint32(0, bits);
  return view.getFloat32(0);
}

/** The cosine of a dot product, 0 to 1. SPEC §26.7 */
export function cosineFeature(dot: number): number {
  return Math.fround(Math.min(1, Math.max(0, dot / SCALE)));
}

/** e^(−age / τ). A time after `now` counts as now. SPEC §26.7 */
export function recency(engine: Engine, now: number, time: number | null): number {
  if (time === null) return 0;
  return exp32(engine, -Math.fround(Math.max(0, now - time) / RECENCY_TAU));
}

/** The time of a document: its metadata `date`, a date or milliseconds, else the time of its modification. SPEC §26.7 */
export function documentTime(metadata: DocumentMetadata, modifiedAt: number | null): number | null {
  const date = metadata?.["date"];
  if (typeof date === "number" && Number.isSafeInteger(date)) return date;
  return (typeof date === "string" ? parseInstant(date) : null) ?? modifiedAt;
}

/** 1 if the document is the person's own, ½ if it names the person, otherwise 0. SPEC §26.7 */
export function personalization(metadata: DocumentMetadata, person: string | null): number {
  if (metadata === null || person === null) return 0;
  const names = (field: string) => textsOf(metadata[field]).includes(person);
  if (["person_id", "owner", "author"].some(names)) return 1;
  return ["people", "participants", "mentions"].some(names) ? 0.5 : 0;
}

/** How near the document's `affect` is to the person's: 1 − (|Δ valence| + |Δ arousal|) / 4. SPEC §26.7 */
export function affectCompatibility(metadata: DocumentMetadata, affect: Affect | null): number {
  const stated = metadata?.["affect"];
  if (affect === null || typeof stated !== "object" || stated === null) return 0;
  const { valence, arousal } = stated as { readonly valence?: unknown; readonly arousal?: unknown };
  if (!isAffectNumber(valence) || !isAffectNumber(arousal)) return 0;
  const distance = Math.abs(valence - affect.valence) + Math.abs(arousal - affect.arousal);
  return Math.fround(1 - distance / 4);
}

/** Whether a value is a number from −1 to 1. */
export function isAffectNumber(value: unknown): value is number {
  return typeof value === "number" && value >= -1 && value <= 1;
}

/** The share of the person's labels that the document's `tom` has. SPEC §26.7 */
export function mindAlignment(metadata: DocumentMetadata, labels: readonly string[]): number {
  if (metadata === null || labels.length === 0) return 0;
  const stated = new Set(textsOf(metadata["tom"]));
  return Math.fround(labels.filter((label) => stated.has(label)).length / labels.length);
}

/** The greatest cosine to what is in focus; at least ½ one link away from it. SPEC §26.7 */
export function focusFeature(dots: readonly number[], isLinked: boolean): number {
  let most = isLinked ? LINKED_FOCUS : 0;
  for (const dot of dots) most = Math.max(most, cosineFeature(dot));
  return most;
}

/** From 1 for a chunk without tokens to 0 for one with 32 and more. SPEC §26.7 */
export function lengthPenalty(tokens: number): number {
  return Math.fround(1 - Math.min(tokens, LENGTH_ENOUGH) / LENGTH_ENOUGH);
}

/** SPEC §26.7 */
export function sourcePrior(store: string): number {
  return PRIORS[store] ?? APPLICATION_PRIOR;
}

/** A string, or the strings of a list. */
export function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}
