import { SelfsameError } from "../index.ts";
import { compareUtf8, type GivenFile } from "../library/browser-entry.ts";

/** Never looked into; nor is anything hidden. */
const NEVER = new Set(["node_modules"]);

/**
 * The files that were dropped on a page, those in dropped folders included, with their paths, in the order of these.
 * Hidden files and folders and `node_modules` are left out, as `selfsame index` does.
 *
 * @example
 * page.addEventListener("drop", async (event) => {
 *   event.preventDefault();
 *   await library.addFiles(await droppedFiles(event.dataTransfer));
 * });
 */
export async function droppedFiles(transfer: DataTransfer): Promise<GivenFile[]> {
  // Taken at once: after the event has been handled, the list is empty.
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
  // A reader gives its entries in portions, the last of which is empty.
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

/** What a browser gives of an entry; a typed error where the file or folder is gone, or is nobody's to read. */
function readable<T>(
  entry: FileSystemEntry,
  read: (resolve: (value: T) => void, reject: (cause: unknown) => void) => void,
): Promise<T> {
  return new Promise<T>(read).catch((cause) => {
    throw new SelfsameError(
      "FILE_MISSING",
      `expected ${pathOf(entry)} to be readable, got ${cause instanceof Error ? cause.message : cause}`,
      "Nothing was added; check the file and its rights, and drop it again",
      { cause },
    );
  });
}
