import { RefusedRequest } from "../http/index.ts";
import type { GivenFile } from "../library/page-entry.ts";

interface FileHead {
  readonly path: string;
  readonly size: number;
  readonly modified: number;
}

/**
 * Reads the files that the page sent: the length of a list as four bytes, little-endian; the list, as JSON: path, size and time of
 * each file; then the files themselves, one after another.
 *
 * @throws {RefusedRequest}
 */
export function readGivenFiles(body: Buffer): GivenFile[] {
  const length = body.length < 4 ? Number.POSITIVE_INFINITY : body.readUInt32LE(0);
  if (length > body.length - 4) throw bad("a list of files");
  let at = 4 + length;
  const files = headsOf(body.subarray(4, at)).map(({ path, size, modified }) => {
    const bytes = body.subarray(at, at + size);
    at += size;
    if (bytes.length !== size) throw bad(`${size} bytes of ${path}`);
    return { path, file: new File([new Uint8Array(bytes)], path, { lastModified: modified }) };
  });
  if (at !== body.length) throw bad("nothing after the files");
  return files;
}

function headsOf(json: Buffer): readonly FileHead[] {
  try {
    const heads: unknown = JSON.parse(json.toString());
    if (Array.isArray(heads) && heads.every(isHead)) return heads;
  } catch {
    // Said below.
  }
  throw bad("path, size and modified of each file");
}

function isHead(head: Partial<FileHead> | null): head is FileHead {
  return (
    typeof head === "object" &&
    head !== null &&
    typeof head.path === "string" &&
    Number.isSafeInteger(head.size) &&
    head.size! >= 0 &&
    Number.isFinite(head.modified)
  );
}

function bad(expected: string): RefusedRequest {
  return new RefusedRequest({ status: 400, code: "BAD_BODY", reason: `expected ${expected}`, hint: "" });
}
