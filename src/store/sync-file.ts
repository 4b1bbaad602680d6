/** What SQLite asks of a file; a FileSystemSyncAccessHandle of a browser is one. */
export interface SyncFile {
  read(buffer: Uint8Array, options: { readonly at: number }): number;
  write(buffer: Uint8Array, options: { readonly at: number }): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

/** A database and its rollback journal; an empty journal counts as none. */
export interface SyncFiles {
  readonly database: SyncFile;
  readonly journal: SyncFile;
}
