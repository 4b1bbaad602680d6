// Filters (SPEC §17), written for clarity: patterns by recursion over what is left of both, dates by the host's Date.UTC.
import { canonicalText, nfc } from "./text.ts";

/** All patterns that the braces of a pattern stand for. SPEC §17.1 */
export function withoutBraces(pattern: string): string[] {
  const open = find(pattern, "{", 0);
  if (open === -1) return [pattern];
  const cuts = [open];
  let depth = 1;
  let at = open + 1;
  for (; depth > 0; at++) {
    const sign = pattern[at];
    if (sign === undefined) throw new Error("a { has no }");
    if (sign === "\\") at++;
    else if (sign === "[") at = bracketEnd(pattern, at) - 1;
    else if (sign === "{") depth++;
    else if (sign === "}") depth--;
    else if (sign === "," && depth === 1) cuts.push(at);
  }
  cuts.push(at - 1);
  const alternatives = cuts.slice(1).map((cut, i) => pattern.slice(cuts[i]! + 1, cut));
  const rests = withoutBraces(pattern.slice(at));
  return alternatives
    .flatMap(withoutBraces)
    .flatMap((each) => rests.map((rest) => pattern.slice(0, open) + each + rest));
}

/** The size of a list of patterns. SPEC §17.1 */
export function globSize(patterns: readonly string[]): number {
  return patterns.flatMap(withoutBraces).reduce((sum, plain) => sum + Array.from(plain).length + 1, 0);
}

/** Where an unescaped sign is, outside of [ ]. */
function find(pattern: string, sign: string, from: number): number {
  for (let at = from; at < pattern.length; at++) {
    if (pattern[at] === sign) return at;
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "[") at = bracketEnd(pattern, at) - 1;
  }
  return -1;
}

/** The index behind the ] of the [ at `at`. */
function bracketEnd(pattern: string, at: number): number {
  const members = /^\[[!^]?(\\.|[^\\])(\\.|[^\\\]])*\]/su.exec(pattern.slice(at));
  if (members === null) throw new Error("a [ has no ]");
  return at + members[0].length;
}

/** Whether a path matches a pattern. SPEC §17.1 */
export function globMatches(pattern: string, path: string): boolean {
  return withoutBraces(pattern).some((plain) => matchesAt(plain, 0, path, new Map()));
}

function matchesAt(pattern: string, at: number, path: string, known: Map<string, boolean>): boolean {
  const key = `${at} ${path.length}`;
  const seen = known.get(key);
  if (seen !== undefined) return seen;
  const result = decide(pattern, at, path, (next, rest) => matchesAt(pattern, next, rest, known));
  known.set(key, result);
  return result;
}

function decide(
  pattern: string,
  at: number,
  path: string,
  go: (next: number, rest: string) => boolean,
): boolean {
  if (at === pattern.length) return path === "";
  const sign = pattern[at]!;
  const first = path === "" ? "" : String.fromCodePoint(path.codePointAt(0)!);
  const suffixes = Array.from({ length: path.length + 1 }, (_, i) => path.slice(i));
  if (sign === "*") {
    const stars = /^\*+/.exec(pattern.slice(at))![0].length;
    const isEdge = (other: string | undefined): boolean => other === undefined || other === "/";
    const end = at + stars;
    if (stars === 2 && isEdge(pattern[at - 1]) && isEdge(pattern[end])) {
      if (end === pattern.length) return true;
      return suffixes.some((rest, cut) => (cut === 0 || path[cut - 1] === "/") && go(end + 1, rest));
    }
    return suffixes.some((rest, cut) => !path.slice(0, cut).includes("/") && go(end, rest));
  }
  if (first === "") return false;
  const rest = path.slice(first.length);
  if (sign === "?") return first !== "/" && go(at + 1, rest);
  if (sign === "[") {
    const end = bracketEnd(pattern, at);
    return first !== "/" && isMember(pattern.slice(at + 1, end - 1), first) && go(end, rest);
  }
  const from = sign === "\\" ? at + 1 : at;
  const literal = String.fromCodePoint(pattern.codePointAt(from)!);
  return literal === first && go(from + literal.length, rest);
}

function isMember(members: string, character: string): boolean {
  const isNegated = /^[!^]/.test(members);
  const c = character.codePointAt(0)!;
  const list = Array.from(
    (isNegated ? members.slice(1) : members).matchAll(/\\(.)|(.)/gsu),
    ([, escaped, plain]) => ({
      c: (escaped ?? plain)!.codePointAt(0)!,
      isDash: plain === "-",
    }),
  );
  let isIn = false;
  for (let i = 0; i < list.length; i++) {
    const isRange = list[i + 1]?.isDash === true && i + 2 < list.length;
    if (isRange) {
      isIn ||= list[i]!.c <= c && c <= list[i + 2]!.c;
      i += 2;
    } else isIn ||= list[i]!.c === c;
  }
  return isIn !== isNegated;
}

/** SPEC §17.2; null where the text is no date. */
export function instant(text: string): number | null {
  const parts =
    /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:([Zz])|([+-])(\d\d)(?::?(\d\d))?)?)?$/.exec(
      text,
    );
  if (parts === null) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  // setUTCFullYear takes the years 0 to 99 as they are; Date.UTC would add 1900.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, Number((parts[7] ?? "").concat("000").slice(0, 3)));
  const isSame =
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second;
  const [zoneHours, zoneMinutes] = [Number(parts[10] ?? 0), Number(parts[11] ?? 0)];
  if (!isSame || zoneHours > 23 || zoneMinutes > 59) return null;
  return date.getTime() - (parts[9] === "-" ? -1 : 1) * (zoneHours * 60 + zoneMinutes) * 60_000;
}

export interface Document {
  path: string;
  mime: string | null;
  modifiedAt: number | null;
  metadata: Record<string, unknown> | null;
  text: string;
}

/** SPEC §17 */
export function passes(filters: Record<string, unknown>, document: Document): boolean {
  const text = (value: string): string => {
    const bytes = canonicalText(new TextEncoder().encode(value));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  };
  const time = (value: unknown): number => (typeof value === "number" ? value : instant(value as string)!);
  return Object.entries(filters).every(([field, value]) => {
    const values = [value].flat();
    const at = document.modifiedAt;
    if (field === "path") {
      const composed = (pattern: string) =>
        String.fromCodePoint(...nfc(Array.from(pattern, (character) => character.codePointAt(0)!)));
      return values.some((pattern) => globMatches(composed(pattern as string), document.path));
    }
    if (field === "modifiedAfter") return at !== null && at > time(value);
    if (field === "modifiedBefore") return at !== null && at < time(value);
    if (field === "contains") return text(document.text).includes(text(value as string).slice(0, -1));
    if (field === "mime") {
      const bare = (mime: string): string => mime.split(";")[0]!.trim().toLowerCase();
      if (document.mime === null) return false;
      const [type, subtype] = bare(document.mime).split("/");
      return values.some((wanted) => {
        const [wantedType, wantedSubtype] = bare(wanted as string).split("/");
        return (
          (wantedType === "*" || wantedType === type) && (wantedSubtype === "*" || wantedSubtype === subtype)
        );
      });
    }
    return Object.entries(value as Record<string, unknown>).every(([key, wanted]) => {
      const has = new Map(Object.entries(document.metadata ?? {})).get(key) ?? null;
      return [wanted].flat().some((each) => (Array.isArray(has) ? has.includes(each) : has === each));
    });
  });
}
