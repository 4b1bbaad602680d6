import type { ExportPackOptions, OpenOptions, PackLibrary } from "selfsame";
import { openTiny } from "../library/opened.ts";

/** Documents of several formats, with and without metadata, some with equal parts. */
export function notes(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    path: `notes/${i % 3 === 0 ? "a" : "b"}/${i}.md`,
    text: `# Note ${i}\n\nWords about ${(i * 7) % 13} and ties, number ${i}.\n\n## The same everywhere\n\nA part that ${i % 5} notes share.\n`,
    ...(i % 2 === 0 ? { modifiedAt: 1_700_000_000_000 + i } : {}),
    ...(i % 4 === 0 ? { mime: "text/markdown", metadata: { tags: ["x", `t${i}`], n: i / 3 } } : {}),
    ...(i % 7 === 0 ? { format: "plain" as const } : {}),
  }));
}

export async function libraryWith(count: number, options: OpenOptions = {}) {
  const opened = await openTiny(":memory:", options);
  await opened.library.add(notes(count));
  return opened;
}

/** The whole pack in memory. */
export async function packOf(
  library: PackLibrary,
  options: ExportPackOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  for await (const piece of library.exportPack(options)) pieces.push(piece);
  return Uint8Array.from(Buffer.concat(pieces));
}

/** The pack as a stream that can be read once, in pieces of some bytes. */
export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
