/**
 * Links: nodes with the same near are siblings, chained in ascending priority. The link of a node is its previous
 * sibling, or its near if it is the first. So a chain is attached to its near by one edge, however long it is.
 * SPEC §10.5
 */
import { adjacency_mark } from "./adjacency";
import { FIRST_CHILD, get, NEAR, NEXT_SIBLING, PREVIOUS_SIBLING, set } from "./graph";
import { NONE, precedes } from "./nodes";

/** Attaches x to `near` (NONE for the entry) and marks every node that gained or lost a link. */
export function link_attach(x: u32, near: u32): void {
  set(x, NEAR, near);
  if (near == NONE) return;
  let previous: u32 = NONE;
  let next = get(near, FIRST_CHILD);
  while (next != NONE && precedes(next, x)) {
    previous = next;
    next = get(next, NEXT_SIBLING);
  }
  join(near, previous, x);
  join(near, x, next);
  adjacency_mark(x);
}

/** Removes x from its chain. */
export function link_detach(x: u32): void {
  const near = get(x, NEAR);
  if (near == NONE) return;
  join(near, get(x, PREVIOUS_SIBLING), get(x, NEXT_SIBLING));
  set(x, PREVIOUS_SIBLING, NONE);
  set(x, NEXT_SIBLING, NONE);
  set(x, NEAR, NONE);
  adjacency_mark(x);
}

/** Appends x, which all other children of `near` precede, after `last`, the last of them (NONE: x is the first). */
export function link_append(x: u32, near: u32, last: u32): void {
  set(x, NEAR, near);
  set(x, PREVIOUS_SIBLING, last);
  if (last == NONE) set(near, FIRST_CHILD, x);
  else set(last, NEXT_SIBLING, x);
}

/** Makes a and b neighbours in the chain of near; NONE stands for either end. */
function join(near: u32, a: u32, b: u32): void {
  if (a == NONE) set(near, FIRST_CHILD, b);
  else set(a, NEXT_SIBLING, b);
  if (b != NONE) set(b, PREVIOUS_SIBLING, a);
  adjacency_mark(a == NONE ? near : a);
  if (b != NONE) adjacency_mark(b);
}
