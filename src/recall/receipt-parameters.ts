import { describeValue } from "../errors/describe-value.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { CrossEncoderIdentity } from "../model/cross-encoder.ts";
import type { ReceiptBody } from "../search/receipt.ts";
import type { Json } from "../text/canonical-json.ts";
import type { Features } from "./ranker.ts";
import type { RecallRequest, ResolvedRecall } from "./request.ts";

/** The value of `kind` in the parameters of a recall's receipt. A search's receipt has no `kind`. */
const KIND = "recall";

const NAMES = [
  "kind",
  "person_id",
  "focus_event_id",
  "workspace",
  "time_budget_ms",
  "top_k",
  "mmr_lambda",
  "near_duplicates",
  "per_document",
  "filters",
  "now",
  "affect",
  "tom",
  "weights",
  "calibration",
  "stores",
  "cross_encoder",
];

/**
 * Returns the parameters of a recall's receipt: those of the recall that was actually done, with the names of the
 * request. SPEC §26.12
 *
 * @param stores the stores that were asked
 * @param weights after what was learned
 * @param crossEncoder the model that ranked again; null for none
 */
export function recallParameters(
  p: ResolvedRecall,
  now: number,
  stores: readonly string[],
  weights: Features,
  crossEncoder: CrossEncoderIdentity | null,
): ReceiptBody["parameters"] {
  const { others, allow_shared, max_band, roles } = p.filters;
  return {
    kind: KIND,
    person_id: p.person_id,
    focus_event_id: p.focus_event_id,
    workspace: [...p.workspace],
    time_budget_ms: p.time_budget_ms,
    top_k: p.top_k,
    mmr_lambda: p.mmr_lambda / 1000,
    near_duplicates: p.near_duplicates,
    ...(p.per_document === null ? {} : { per_document: p.per_document }),
    filters: { allow_shared, max_band, roles: [...roles], ...(others as Record<string, Json>) },
    now,
    affect: p.affect === null ? null : { ...p.affect },
    tom: [...p.tom],
    weights: { ...weights },
    calibration: { ...p.calibration },
    stores: [...stores],
    cross_encoder: crossEncoder === null ? null : { ...crossEncoder },
  };
}

/** Whether a receipt is that of a recall. */
export function isRecallReceipt({ parameters }: Pick<ReceiptBody, "parameters">): boolean {
  return parameters["kind"] === KIND;
}

/** Returns the request that a receipt describes. @throws {SelfsameError} BAD_RECEIPT for a name that no recall has */
export function requestOfReceipt({
  query,
  parameters,
}: Pick<ReceiptBody, "query" | "parameters">): RecallRequest {
  const unknown = Object.keys(parameters).find((name) => !NAMES.includes(name));
  if (unknown !== undefined)
    throw new SelfsameError(
      "BAD_RECEIPT",
      `expected parameters among ${NAMES.join(", ")}, got ${describeValue(unknown)}`,
      "",
      { details: { field: `parameters.${unknown}` } },
    );
  const { kind: _kind, cross_encoder, ...rest } = parameters;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return { query_text: query, ctx: { ...given, allow_cross_encoder: cross_encoder !== null } };
}
