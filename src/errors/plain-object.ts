/**
 * An object as `{ … }` makes it, of this realm or of another. What a Map, a Date or an object of a class holds, or what one
 * inherits, stands in no members of its own: to read its members would be to pass over what the caller meant.
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
 * The members of a plain object, each read once, so that what the caller does to it later has no effect; null for anything
 * else, also where a getter throws.
 */
export function membersOf(value: unknown): [name: string, member: unknown][] | null {
  try {
    return isPlainObject(value) ? Object.entries(value) : null;
  } catch {
    return null;
  }
}
