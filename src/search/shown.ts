const LENGTH_MAX = 80;

/** What was given, as an error says it: of any type, and not at any length. */
export function shown(value: unknown): string {
  const text = spelled(value);
  return text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}…` : text;
}

function spelled(value: unknown): string {
  if (typeof value === "number") return String(value); // NaN and infinities are null in JSON
  if (typeof value === "bigint") return `${value}n`;
  try {
    return JSON.stringify(value) ?? (value === undefined ? "nothing" : `a ${typeof value}`);
  } catch {
    return "an object that is not JSON"; // it holds itself, or a bigint
  }
}
