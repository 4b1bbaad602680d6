/**
 * Returns what is wrong with a value out of JSON that has a member `__proto__` somewhere; null if it has none. Schemas leave such a
 * member out without a word: a filter by it would find everything. Depth costs no stack.
 */
export function lostMember(value: unknown): string | null {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== "object" || next === null) continue;
    if (Object.hasOwn(next, "__proto__")) return 'expected members with other names, got "__proto__"';
    for (const each of Object.values(next)) if (typeof each === "object") left.push(each);
  }
  return null;
}
