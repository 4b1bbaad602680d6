import { SelfsameError } from "../index.ts";
import { compareUtf8, type GivenFile } from "../library/browser-entry.ts";

/** Folders that are never read. Hidden ones are not read either. */
const NEVER = new Set(["node_modules"]);

/**
 * Returns the files that were dropped on a page, including those in dropped folders, with their paths and sorted by
 * path. Hidden files and folders and `node_modules` are left out, as in `selfsame index`.
 *
 * @example
 * page.addEventListener("drop", async (event) => {
 *   event.preventDefault();
 *   await library.addFiles(await droppedFiles(event.dataTransfer));
 * });
 */
export async function droppedFiles(transfer: DataTransfer): Promise<GivenFile[]> {
  // Read at once: the list is empty after the event has been handled.
  const items = [...transfer.items].map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const found: GivenFile[] = [];
  for (const item of items) {
    // A file without an entry comes from another page or program, not from a folder.
    if (item instanceof File) found.push({ path: item.name, file: item });
    else if (item !== null) await collect(item, found);
  }
  return found.sort((a, b) => compareUtf8(a.path, b.path));
}

async function collect(entry: FileSystemEntry, found: GivenFile[]): Promise<void> {
  if (entry.name.startsWith(".") || NEVER.has(entry.name)) return;
  if (entry.isFile) {
    const file = await readable(entry, (resolve: (file: File) => void, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push({ path: pathOf(entry), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader returns its entries in batches; the last batch is empty.
  for (;;) {
    const portion = await readable(entry, (resolve: (entries: FileSystemEntry[]) => void, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (portion.length === 0) return;
    for (const child of portion) await collect(child, found);
  }
}

function pathOf(entry: FileSystemEntry): string {
  return entry.fullPath.replace(/^\//, "");
}

/** Reads an entry from the browser. Throws a typed error if the file or folder is gone or cannot be read. */
function readable<T>(
  entry: FileSystemEntry,
  read: (resolve: (value: T) => void, reject: (cause: unknown) => void) => void,
): Promise<T> {
  return new Promise<T>(read).catch((cause) => {
    throw new SelfsameError(
      "FILE_MISSING",
      `expected ${pathOf(entry)} to be readable, got ${cause instanceof Error ? cause.message : cause}`,
      "Nothing was added. Check the file's permissions and drop it again",
      { cause },
    );
  });
}
