/** A place in a document: its path, and the chunk to show first. */
export interface DocumentPlace {
  readonly path: string;
  readonly chunk: number;
}

const DOCUMENT = /^document=([^&]*)(?:&chunk=(\d{1,9}))?$/;

/** Returns the address of a document in this page. */
export function addressOf(path: string, chunk: number): string {
  return `#document=${encodeURIComponent(path)}&chunk=${chunk}`;
}

/** Reads an address; null if it names no document. */
export function placeOf(hash: string): DocumentPlace | null {
  const found = DOCUMENT.exec(hash.replace(/^#/, ""));
  if (found === null) return null;
  try {
    return { path: decodeURIComponent(found[1]!), chunk: Number(found[2] ?? 0) };
  } catch {
    return null; // a % without its digits
  }
}
