import { compareUtf8 } from "../text/order.ts";
import type { GivenFile } from "./given-files.ts";

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
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found: GivenFile[] = [];
  for (const entry of entries) await collect(entry, found);
  return found.sort((a, b) => compareUtf8(a.path, b.path));
}

async function collect(entry: FileSystemEntry, found: GivenFile[]): Promise<void> {
  if (entry.name.startsWith(".") || NEVER.has(entry.name)) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push({ path: entry.fullPath.replace(/^\//, ""), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader gives its entries in portions, the last of which is empty.
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (portion.length === 0) return;
    for (const child of portion) await collect(child, found);
  }
}
