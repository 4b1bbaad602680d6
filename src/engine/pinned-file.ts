import { SelfsameError } from "../errors/selfsame-error.ts";

/** A file identified by its digest, such as a model's weights. */
export interface PinnedFile {
  /** Relative to the manifest's package, or to the manifest. */
  readonly path: string;
  /** Its length. */
  readonly bytes: number;
  /** 64 hex digits. */
  readonly sha256: string;
}

const HINT = "The file is damaged or of another version: download it again";

/** Returns the error of a file that is longer or shorter than its manifest says. */
export function otherLength(file: PinnedFile, got: string): SelfsameError {
  return new SelfsameError("BAD_MODEL", `${file.path}: expected ${file.bytes} bytes, got ${got}`, HINT);
}

/** Throws unless `data` has the length and the sha256 of `file`. */
export async function checkFile(data: Uint8Array, file: PinnedFile): Promise<void> {
  if (data.length !== file.bytes) throw otherLength(file, String(data.length));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data as Uint8Array<ArrayBuffer>));
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  checkDigest(sha256, file);
}

/** Throws unless `sha256` is that of `file`. */
export function checkDigest(sha256: string, file: PinnedFile): void {
  if (sha256 === file.sha256) return;
  throw new SelfsameError("BAD_MODEL", `${file.path}: expected sha256 ${file.sha256}, got ${sha256}`, HINT);
}
