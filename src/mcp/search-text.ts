import { shortened } from "../errors/index.ts";
import { noticesOf, type SearchAnswer, type SearchResult } from "../index.ts";

/** What a result may cost beside its passage, and an answer beside its results, in characters with their line ends. */
export const RESULT_MAX = 90;
export const FRAME_MAX = 200;

/** The characters of a digest that an agent needs to tell two answers apart. */
const DIGEST_LENGTH = 16;
const TRAIL = " › ";

/**
 * Returns an answer as an agent reads it: for each result its rank, where it is, the headings above it, how close it is, and the
 * passage; then the receipt's digest and how to go on. Nothing is said twice.
 */
export function searchText(answer: SearchAnswer): string {
  const { results, nextCursor, receipt, warnings } = answer;
  const more = nextCursor === null ? "" : `; more with cursor ${nextCursor}`;
  const foot = `receipt ${receipt.digest.slice(0, DIGEST_LENGTH)}${more}`;
  const nothing = results.length === 0 ? ["Nothing found: try other words, or a wider path"] : [];
  const said = [...warnings, ...noticesOf(answer), ...nothing].join(" ");
  // Two line ends after it, and those of the foot, belong to the frame.
  const head = said === "" ? "" : `${cut(said, FRAME_MAX - foot.length - 2)}\n\n`;
  return (
    head + results.map((each, i) => `${headOf(i + 1, each)}\n${each.content.trim()}\n\n`).join("") + foot
  );
}

function headOf(rank: number, result: SearchResult): string {
  const { path, line, page, closeness, cosine } = result;
  const place = `${rank}. ${path}:${line}${page === null ? "" : ` page ${page}`}`;
  const near = cosine === null ? "" : ` · ${closeness ?? "cosine"} ${cosine.toFixed(2)}`;
  // The line ends after the head and after the passage.
  const room = RESULT_MAX - 3 - place.length - near.length;
  return place + trailWithin(room, trailOf(result)) + near;
}

/** Returns the headings above a passage, without the one that it begins with. */
function trailOf({ headingPath, content }: SearchResult): readonly string[] {
  const first = content
    .trimStart()
    .split("\n", 1)[0]!
    .replace(/^[#=*\s]+|[#\s]+$/g, "");
  return headingPath.at(-1) === first ? headingPath.slice(0, -1) : headingPath;
}

/** Returns as much of the headings as fits, the innermost first to stay. */
function trailWithin(room: number, headings: readonly string[]): string {
  for (let from = 0; from < headings.length; from++) {
    const kept = from === 0 ? headings : ["…", ...headings.slice(from)];
    const trail = TRAIL + kept.join(TRAIL);
    if (trail.length <= room) return trail;
  }
  const last = headings.at(-1);
  return last === undefined || room < 2 * TRAIL.length + 8 ? "" : TRAIL + cut(last, room - TRAIL.length);
}

/** Shortens a text to a number of UTF-16 units, with the ellipsis. */
function cut(text: string, room: number): string {
  return text.length <= room ? text : shortened(text, room - 1);
}
