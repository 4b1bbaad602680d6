/**
 * Returns whether a value is an object as `{ … }` makes it, of this realm or another. A Map, a Date, an object of a
 * class or one that inherits members does not hold its contents in own members: reading those would ignore what the
 * caller meant.
 */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || isRootOfOtherRealm(prototype as object);
}

function isRootOfOtherRealm(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}

/**
 * Returns the members of a plain object, each read once, so that later changes by the caller have no effect. Returns
 * null for anything else, and if a getter throws.
 */
export function membersOf(value: unknown): [name: string, member: unknown][] | null {
  try {
    return isPlainObject(value) ? Object.entries(value) : null;
  } catch {
    return null;
  }
}
