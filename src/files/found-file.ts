/** A file that is to be indexed. */
export interface FoundFile {
  /** Relative to the root, with `/`. No part of it is a link. */
  readonly path: string;
  readonly absolute: string;
  readonly size: number;
  readonly modifiedNs: bigint;
  /** When it was last modified, or moved here, whichever is later: its modification alone may be of any time. */
  readonly changedNs: bigint;
}

/** A file or folder that was left out, and why. */
export interface SkippedFile {
  /** Relative to the root, with `/`. A byte that is not UTF-8 is shown as `\xE9`. */
  readonly path: string;
  /** Why it was left out. */
  readonly reason:
    | "bad content"
    | "bad name"
    | "binary"
    | "link out of the root"
    | "not a file"
    | "too large"
    | "unreadable";
  /** More about the reason, such as the system's message. */
  readonly detail?: string;
  /** The limit of size, if the file is larger. */
  readonly bytesMax?: number;
}
