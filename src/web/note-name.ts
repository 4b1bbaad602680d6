/** Returns the first of `note.md`, `note-2.md`, … that no document has. */
export function freeName(taken: readonly string[]): string {
  const paths = new Set(taken);
  for (let n = 1; ; n++) {
    const path = n === 1 ? "note.md" : `note-${n}.md`;
    if (!paths.has(path)) return path;
  }
}

/**
 * Adds `.md` to a note's name unless the name has an extension. An invalid name stays as it is, for the library to
 * refuse.
 */
export function pathOf(name: string): string {
  const path = name.trim();
  return /\.\w+$|(^|\/)\.{0,2}$/.test(path) ? path : `${path}.md`;
}
