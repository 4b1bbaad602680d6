import { SelfsameError } from "../errors/selfsame-error.ts";
import { type FetchTimes, fetchParts } from "./fetch.ts";
import { checkDigest, otherLength, type PinnedFile } from "./pinned-file.ts";
import { Sha256 } from "./sha256.ts";

/**
 * Downloads a pinned file. Each part is counted and hashed when it arrives: the first byte beyond the manifest's length
 * ends the connection, and after the last one the digest is known. Nothing is returned before both match. A download
 * takes no longer than that many bytes may take.
 */
export async function download(
  url: URL,
  file: PinnedFile,
  onBytes: (bytes: number) => void = () => undefined,
  times?: FetchTimes,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = roomFor(file);
  const hash = new Sha256();
  let at = 0;
  const take = (part: Uint8Array) => {
    hash.update(part);
    bytes.set(part, at);
    at += part.length;
    onBytes(at);
  };
  const isWhole = await fetchParts(url, file.bytes, take, times);
  if (!isWhole) throw otherLength(file, `more at ${url.href}`);
  if (at !== bytes.length) throw otherLength(file, `${at} at ${url.href}`);
  checkDigest(hash.hex(), file);
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
