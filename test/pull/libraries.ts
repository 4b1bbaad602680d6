import type { Opened } from "../library/opened.ts";
import { openTiny } from "../library/opened.ts";

export interface Note {
  readonly path: string;
  readonly text: string;
  readonly modifiedAt?: number;
  readonly metadata?: { readonly [name: string]: string };
}

/** A note of one or two chunks, with its own words. */
export function note(number: number, version = 0): Note {
  return {
    path: `notes/${String(number).padStart(5, "0")}.md`,
    text: `# Note ${number}\n\nWalked ${(number * 37) % 23} km and read ${(number * 11) % 19} pages, version ${version}.\n`,
    modifiedAt: 1_000_000 + number * 1000 + version,
  };
}

export function notes(count: number): Note[] {
  return Array.from({ length: count }, (_, i) => note(i));
}

/** Two libraries in memory that begin with the same notes. */
export async function pair(count: number): Promise<{ ours: Opened; theirs: Opened }> {
  const [ours, theirs] = [await openTiny(":memory:"), await openTiny(":memory:")];
  await theirs.library.add(notes(count));
  await ours.library.add(notes(count).reverse());
  return { ours, theirs };
}

export async function roots({ library }: Opened): Promise<{ root: string; metadataRoot: string }> {
  return { root: await library.root(), metadataRoot: await library.metadataRoot() };
}

export async function paths({ library }: Opened): Promise<string[]> {
  return (await library.documents()).map(({ path }) => path);
}
