import { membersOf } from "../errors/plain-object.ts";
import { utf8 } from "../text/canonical.ts";
import { hasLoneSurrogate } from "../text/lone-surrogate.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import type { SparseSearch, SparseTerms } from "../vectors/sparse-index.ts";
import { SPARSE_TERMS_MAX, SPARSE_WEIGHT_MAX, sparseInteger } from "../vectors/sparse-weight.ts";
import { refusal } from "./check-parameter.ts";
import { naturalLogarithm } from "./logarithm.ts";

const TERM_BYTES_MAX = 65_535;

/** Returns the integers of a query's sparse vector, by term. SPEC §24.1 */
export function checkSparse(field: string, value: unknown): SparseTerms {
  return checked(field, value, (weight) => sparseInteger(weight as number));
}

/** Returns the sparse vector of a receipt, whose weights are integers. SPEC §24.1 */
export function checkSparseIntegers(field: string, value: unknown): SparseTerms {
  return checked(field, value, (weight, at) => {
    if (Number.isInteger(weight) && (weight as number) >= 1 && (weight as number) <= SPARSE_WEIGHT_MAX)
      return weight as number;
    throw refusal(`${field}.weights[${at}]`, `a whole number from 1 to ${SPARSE_WEIGHT_MAX}`, weight);
  });
}

function checked(
  field: string,
  value: unknown,
  integerOf: (weight: unknown, at: number) => number,
): SparseTerms {
  const members = new Map(membersOf(value) ?? []);
  const [terms, weights] = [members.get("terms"), members.get("weights")];
  if (!Array.isArray(terms) || !Array.isArray(weights) || members.size !== 2)
    throw refusal(field, "an object with the lists terms and weights", value);
  if (terms.length !== weights.length || terms.length > SPARSE_TERMS_MAX) {
    const expected = `as many terms as weights, at most ${SPARSE_TERMS_MAX}`;
    throw refusal(field, expected, `${terms.length} and ${weights.length}`);
  }
  const byTerm = new Map<string, number>();
  for (const [i, term] of (terms as unknown[]).entries()) {
    if (
      typeof term !== "string" ||
      term === "" ||
      hasLoneSurrogate(term) ||
      utf8(term).length > TERM_BYTES_MAX
    )
      throw refusal(`${field}.terms[${i}]`, `a string of 1 to ${TERM_BYTES_MAX} bytes`, term);
    if (byTerm.has(term)) throw refusal(`${field}.terms[${i}]`, "a term that is not there yet", term);
    byTerm.set(term, integerOf(weights[i], i));
  }
  return inOrder([...byTerm].filter(([, weight]) => weight > 0));
}

/**
 * Returns the sparse vector of a query's own tokens: each token that a chunk has, with its inverse document frequency as
 * the weight. SPEC §24.3
 */
export function ownTerms(
  tokens: Iterable<string>,
  index: Pick<SparseSearch, "size" | "having">,
): SparseTerms {
  const entries: [string, number][] = [];
  for (const token of new Set(tokens)) {
    const having = index.having(token);
    if (having === 0) continue;
    const idf = naturalLogarithm(1 + (index.size - having + 0.5) / (having + 0.5));
    entries.push([token, sparseInteger(idf)]);
  }
  return inOrder(entries.filter(([, weight]) => weight > 0));
}

/** By the bytes of the terms: one vector has one form in receipts. */
function inOrder(entries: readonly (readonly [string, number])[]): SparseTerms {
  const sorted = [...entries].sort(([a], [b]) => compareUtf8(a, b));
  return { terms: sorted.map(([term]) => term), weights: sorted.map(([, weight]) => weight) };
}
