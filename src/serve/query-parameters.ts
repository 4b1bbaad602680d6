import { type Asked, searchParametersOf } from "../http/index.ts";
import { type Filters, SEARCH_PARAMETERS, type SearchParameters, SelfsameError } from "../index.ts";
import type { QueryRequest } from "./query-schema.ts";

/** What an operator sets for all searches: contract 5's `fusion` and `retrieval`. */
export interface SearchSettings {
  /** The constant of reciprocal rank fusion. */
  readonly rrfK?: number;
  /** λ of diversification; default 0.7. */
  readonly lambda?: number;
  /** Whether clients may ask for diversification; default true. */
  readonly enableMmr?: boolean;
  /** The number of candidates by meaning. */
  readonly semanticK?: number;
  /** The number of candidates by words. */
  readonly lexicalK?: number;
  /** The number of candidates by sparse vectors. */
  readonly sparseK?: number;
  /** How words are scored. */
  readonly bm25Scoring?: "bm25" | "bm25plus";
  /** With diversification, so many times more candidates by meaning; default 1.5. */
  readonly overfetch?: number;
}

/** The contract whose defaults hold if a request names none. */
const PRESET = "docstokg";
/** What the preset itself multiplies by. SPEC §20.2 */
const PRESET_OVERFETCH = 1.5;
const PAGE_SIZE = 10;

/** Returns the parameters of the search that a request asks for, always with the explanation, which the answer is made from. SPEC §21.2 */
export function parametersOf(request: QueryRequest, settings: SearchSettings): SearchParameters {
  const {
    query: _,
    filters,
    document_filters,
    cursor,
    diversification,
    recall_first,
    page_size,
    preset: __,
    ...rest
  } = request;
  const { diversify, ...asked } = searchParametersOf(rest as Asked);
  const lambda = diversityOf(diversify ?? diversification ?? false, settings);
  const defaults = defaultsOf(request, settings, lambda !== undefined);
  return {
    ...defaults,
    ...asked,
    // As with a preset, each weight stands by itself.
    ...(asked.weights === undefined ? {} : { weights: { ...defaults.weights, ...asked.weights } }),
    ...(asked.topK === undefined || page_size !== undefined ? { pageSize: page_size ?? PAGE_SIZE } : {}),
    ...(cursor === undefined || cursor === null ? {} : { cursor }),
    ...(recall_first === true ? { exact: true } : {}),
    ...(lambda === undefined ? {} : { diversify: { lambda } }),
    ...filtersOf(filters ?? undefined, document_filters as Asked | undefined),
    explain: true,
  };
}

/** The preset, with what the operator has set instead. What the request gives stands above both. */
function defaultsOf(
  { preset = PRESET }: QueryRequest,
  { rrfK, semanticK, lexicalK, sparseK, bm25Scoring, overfetch = PRESET_OVERFETCH }: SearchSettings,
  isDiversified: boolean,
): SearchParameters {
  if (preset === null) return {};
  if (preset !== PRESET) return { preset };
  const own = {
    ...(rrfK === undefined ? {} : { rrfK }),
    ...(lexicalK === undefined ? {} : { lexicalK }),
    ...(sparseK === undefined ? {} : { sparseK }),
    ...(bm25Scoring === undefined ? {} : { bm25Scoring }),
  };
  if (overfetch === PRESET_OVERFETCH)
    return { preset, ...own, ...(semanticK === undefined ? {} : { semanticK }) };
  // Another factor than the preset's: its values, written out.
  const { weights, semanticK: byMeaning, lexicalK: byWords } = SEARCH_PARAMETERS;
  const count = semanticK ?? (byMeaning.presets?.[PRESET] as number);
  return {
    weights: {
      semantic: weights.fields.semantic.presets?.[PRESET] as number,
      lexical: weights.fields.lexical.presets?.[PRESET] as number,
    },
    lexicalK: byWords.presets?.[PRESET] as number,
    semanticK: isDiversified ? Math.min(Math.ceil(count * overfetch), byMeaning.maximum) : count,
    ...own,
  };
}

/** Returns λ; undefined if results are not diversified. */
function diversityOf(
  asked: NonNullable<SearchParameters["diversify"]>,
  { lambda = SEARCH_PARAMETERS.diversify.fields.lambda.default as number, enableMmr = true }: SearchSettings,
): number | undefined {
  if (asked === false) return undefined;
  if (!enableMmr)
    throw new SelfsameError(
      "BAD_ARGUMENT",
      "expected no diversification, which this server forbids (fusion.enable_mmr: false), got it",
      "Leave out diversification",
    );
  return asked === true ? lambda : (asked.lambda ?? lambda);
}

function filtersOf(
  metadata: Filters["metadata"],
  document: Asked | undefined,
): Pick<SearchParameters, "filters"> {
  if (metadata === undefined && document === undefined) return {};
  const given = document === undefined ? {} : searchParametersOf({ filters: document }).filters;
  const both = { ...given?.metadata, ...metadata };
  return { filters: { ...given, ...(Object.keys(both).length === 0 ? {} : { metadata: both }) } };
}
