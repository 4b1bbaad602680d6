/** The file operations that SQLite needs; a browser's FileSystemSyncAccessHandle has them. */
export interface SyncFile {
  /** Returns the number of bytes read. */
  read(buffer: Uint8Array, options: { readonly at: number }): number;
  write(buffer: Uint8Array, options: { readonly at: number }): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

/** The part of a file that page seals need. */
export type PageFile = Pick<SyncFile, "read" | "write" | "truncate" | "getSize">;

/** A database and its rollback journal; an empty journal counts as none. */
export interface SyncFiles {
  readonly database: SyncFile;
  readonly journal: SyncFile;
}
