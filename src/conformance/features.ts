import { toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { type Work, workOf } from "../recall/budget.ts";
import { CALIBRATION, confidenceOf } from "../recall/calibration.ts";
import {
  affectCompatibility,
  binary32,
  type DocumentMetadata,
  documentTime,
  mindAlignment,
  personalization,
  recency,
} from "../recall/features.ts";
import { learnedWeights } from "../recall/feedback.ts";
import { linksIn } from "../recall/links.ts";
import { isPermitted } from "../recall/policy.ts";
import { FEATURES, type FeatureName, WEIGHTS } from "../recall/ranker.ts";
import type { RecallContext } from "../recall/request.ts";
import { binary32Bits } from "../search/fuse.ts";
import { signatureOf } from "../search/signature.ts";
import { utf8 } from "../text/canonical.ts";
import { searchText } from "../text/search-text.ts";
import { printHex } from "./hex.ts";
import { type Outcome, Tally } from "./outcome.ts";

/** test-vectors/features.json */
export interface FeatureVectors {
  readonly cases: readonly {
    readonly name: string;
    readonly text: string;
    readonly headings: string;
    readonly simHash: string;
    readonly termNorm: string;
  }[];
  readonly links: readonly {
    readonly name: string;
    readonly path: string;
    readonly text: string;
    readonly metadata: object | null;
    readonly links: Readonly<Record<string, readonly string[] | undefined>>;
  }[];
  readonly budgets: readonly (Work & { readonly ms: number })[];
  readonly policy: readonly {
    readonly ctx: RecallContext;
    readonly space: string;
    readonly permitted: readonly {
      readonly metadata: NonNullable<DocumentMetadata>;
      readonly isPermitted: boolean;
    }[];
  }[];
  readonly stated: readonly {
    readonly metadata?: NonNullable<DocumentMetadata>;
    readonly modifiedAt?: number;
    readonly features: readonly string[];
  }[];
  readonly context: Required<Pick<RecallContext, "now" | "person_id" | "affect" | "tom">>;
  readonly confidence: readonly { readonly score: string; readonly confidence: string }[];
  readonly learned: readonly {
    readonly sum: number;
    readonly events: number;
    readonly weights: readonly string[];
  }[];
}

/** SPEC §16.6 and §26 */
export function checkFeatures(engine: Engine, vectors: FeatureVectors): Outcome {
  const tally = new Tally("features");
  for (const { name, text, headings, simHash, termNorm } of vectors.cases) {
    const got = signatureOf(searchText(text), searchText(headings));
    tally.record(`terms: ${name}`, [
      ["simHash", simHash, toHex(got.simHash)],
      ["termNorm", termNorm, printHex([got.termNorm], 8)],
    ]);
  }
  for (const { name, path, text, metadata, links } of vectors.links) {
    const got: Record<string, string[]> = {};
    const given = { path, text: utf8(text), metadata: metadata === null ? null : JSON.stringify(metadata) };
    for (const { kind, target } of linksIn(given)) {
      got[kind] ??= [];
      got[kind].push(target);
    }
    const kinds = [...new Set([...Object.keys(links), ...Object.keys(got)])];
    tally.record(
      `links: ${name}`,
      kinds.map((kind) => [kind, JSON.stringify(links[kind] ?? []), JSON.stringify(got[kind] ?? [])]),
    );
  }
  checkBudgets(tally, vectors);
  checkPolicy(tally, vectors);
  checkStated(engine, tally, vectors);
  return tally.outcome();
}

/** SPEC §26.2 and §26.11 */
function checkBudgets(tally: Tally, { budgets, learned }: FeatureVectors): void {
  for (const { ms, ...work } of budgets)
    tally.record(`${ms} ms`, [["work", JSON.stringify(work), JSON.stringify(workOf(ms))]]);
  for (const { sum, events, weights } of learned) {
    // The first event has the whole sum.
    const differences = (first: boolean) =>
      Object.fromEntries(FEATURES.map((name) => [name, first ? sum : 0]));
    const all = Array.from({ length: events }, (_, i) => ({
      differences: differences(i === 0) as Record<FeatureName, number>,
    }));
    const got = learnedWeights(WEIGHTS, all);
    tally.record(`learned from ${events} events, ${sum}`, [
      ["weights", weights.join(" "), FEATURES.map((name) => bits(got[name])).join(" ")],
    ]);
  }
}

/** SPEC §26.5 */
function checkPolicy(tally: Tally, { policy }: FeatureVectors): void {
  for (const { ctx, space, permitted } of policy) {
    const { allow_shared = true, max_band = "GREEN", roles = [] } = ctx.filters ?? {};
    const reader = { person: ctx.person_id ?? null, filters: { allow_shared, max_band, roles }, space };
    tally.record(
      `policy: ${JSON.stringify(ctx)}`,
      permitted.map(({ metadata, isPermitted: expected }) => [
        JSON.stringify(metadata),
        String(expected),
        String(isPermitted(metadata, reader)),
      ]),
    );
  }
}

/** SPEC §26.7 and §26.10 */
function checkStated(engine: Engine, tally: Tally, { stated, context, confidence }: FeatureVectors): void {
  const { now, person_id, affect, tom } = context;
  for (const { metadata = null, modifiedAt = null, features } of stated) {
    const got = [
      recency(engine, now, documentTime(metadata, modifiedAt)),
      personalization(metadata, person_id),
      affectCompatibility(metadata, affect),
      mindAlignment(metadata, [...new Set(tom)]),
    ];
    tally.record(`stated: ${JSON.stringify({ metadata, modifiedAt })}`, [
      ["features", features.join(" "), got.map(bits).join(" ")],
    ]);
  }
  for (const { score, confidence: expected } of confidence) {
    const got = confidenceOf(engine, binary32(Number.parseInt(score, 16)), CALIBRATION);
    tally.record(`confidence of ${score}`, [["confidence", expected, bits(got)]]);
  }
}

function bits(value: number): string {
  return printHex([binary32Bits(value)], 8);
}
