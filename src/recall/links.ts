import { tokenOf } from "../search/token.ts";
import { wordsOf } from "../search/words.ts";
import type { LinkKind, LinkRow } from "../store/links.ts";
import { utf8ToString } from "../text/canonical.ts";
import { searchText } from "../text/search-text.ts";

/** The parts of a document that links are read from. */
export interface LinkedDocument {
  readonly path: string;
  /** Canonical, in UTF-8. */
  readonly text: Uint8Array;
  /** Canonical JSON; null for none. */
  readonly metadata: string | null;
}

/** A document may say more. What comes later is not kept. SPEC §26.4 */
const LINKS_MAX = 4096;
/** A name has at most this many words. */
const NAME_WORDS_MAX = 32;

/**
 * Returns what a document says about its place among others: its names, its tags, and the documents that it links to.
 * SPEC §26.4
 */
export function linksIn({ path, text, metadata }: LinkedDocument): LinkRow[] {
  const found = new Map<string, LinkRow>();
  const add = (kind: LinkKind, target: string | null) => {
    if (target !== null && target !== "" && found.size < LINKS_MAX)
      found.set(`${kind} ${target}`, { kind, target });
  };
  const about = metadata === null ? {} : (JSON.parse(metadata) as Record<string, unknown>);
  add("name", nameKey(stemOf(path)));
  for (const name of [...textsIn(about["title"]), ...textsIn(about["aliases"])]) add("name", nameKey(name));
  for (const tag of textsIn(about["tags"])) add("tag", nameKey(tag));
  let hasTitle = false;
  for (const line of proseLines(utf8ToString(text))) {
    const heading = hasTitle ? null : /^ {0,3}#[ \t]+([^\n]{1,512})/.exec(line);
    if (heading !== null) {
      add("name", nameKey(heading[1]!));
      hasTitle = true;
    }
    if (!line.includes("[")) continue;
    const plain = line.replace(/`[^`]{0,1000}`/g, " ");
    for (const [, target] of plain.matchAll(/\[\[([^[\]]{1,512})\]\]/g)) add("title", wikiKey(target!));
    for (const [, target] of plain.matchAll(/\]\([ \t]*<?([^ \t()<>]{1,1024})(?=[ \t)>])/g))
      add("path", resolved(path, target!));
    const definition = /^ {0,3}\[[^\]]{1,200}\]:[ \t]*<?([^ \t<>]{1,1024})/.exec(plain);
    if (definition !== null) add("path", resolved(path, definition[1]!));
  }
  return [...found.values()];
}

/** Returns the tokens of a name, with spaces between them: two spellings of a name have the same key. */
export function nameKey(name: string): string {
  return wordsOf(searchText(name), NAME_WORDS_MAX).map(tokenOf).join(" ");
}

/** The lines that are not within a fenced block of code. */
function* proseLines(text: string): Generator<string> {
  let fence: string | null = null;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const line = text.slice(from, end < 0 ? text.length : end);
    from = end < 0 ? text.length : end + 1;
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1];
    if (mark !== undefined && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    else if (fence === null) yield line;
  }
}

/** `Note`, `Note|shown`, `Note#Heading` and `folder/Note` all name the document Note. */
function wikiKey(target: string): string {
  const name = /^[^|#]*/.exec(target)![0];
  return nameKey(stemOf(name));
}

/** The last part of a path without its extension. */
function stemOf(path: string): string {
  const last = path.slice(path.lastIndexOf("/") + 1);
  const dot = last.lastIndexOf(".");
  return dot > 0 ? last.slice(0, dot) : last;
}

/** Returns the path that a link in `path` leads to; null if it leads out of the library or to another site. */
function resolved(path: string, target: string): string | null {
  const bare = /^[^#?]*/.exec(target)![0];
  if (bare === "" || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(bare) || bare.startsWith("//")) return null;
  const parts = bare.startsWith("/") ? [] : path.split("/").slice(0, -1);
  for (const part of decoded(bare).split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/");
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target; // not percent-encoded after all
  }
}

/** A string, or the strings of a list. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
