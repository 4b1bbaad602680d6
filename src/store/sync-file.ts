/** What SQLite asks of a file; a FileSystemSyncAccessHandle of a browser is one. */
export interface SyncFile {
  /** Returns how many bytes there were. */
  read(buffer: Uint8Array, options: { readonly at: number }): number;
  write(buffer: Uint8Array, options: { readonly at: number }): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

/** The part of a file that the seals of its pages need. */
export type PageFile = Pick<SyncFile, "read" | "write" | "getSize">;

/** A database and its rollback journal; an empty journal counts as none. */
export interface SyncFiles {
  readonly database: SyncFile;
  readonly journal: SyncFile;
}
