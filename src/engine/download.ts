import { SelfsameError } from "../errors/selfsame-error.ts";
import { type FetchTimes, fetchParts } from "./fetch.ts";
import { checkFile, otherLength, type PinnedFile } from "./pinned-file.ts";

/**
 * Downloads a pinned file. It accepts no more bytes than the manifest says, takes no longer than that many bytes may
 * take, and returns nothing that has another digest.
 */
export async function download(
  url: URL,
  file: PinnedFile,
  onBytes: (bytes: number) => void = () => undefined,
  times?: FetchTimes,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = roomFor(file);
  let at = 0;
  const take = (part: Uint8Array) => {
    bytes.set(part, at);
    at += part.length;
    onBytes(at);
  };
  const isWhole = await fetchParts(url, file.bytes, take, times);
  if (!isWhole) throw otherLength(file, `more at ${url.href}`);
  if (at !== bytes.length) throw otherLength(file, `${at} at ${url.href}`);
  await checkFile(bytes, file);
  return bytes;
}

function roomFor({ path, bytes }: PinnedFile): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(bytes);
  } catch (cause) {
    throw new SelfsameError(
      "OUT_OF_MEMORY",
      `${path}: expected memory for ${bytes} bytes, got none`,
      "Use a smaller model, or close other programs",
      { cause },
    );
  }
}
