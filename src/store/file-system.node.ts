import type * as nodeFs from "node:fs";

/** The functions of node:fs that the VFS calls; tests pass in ones that fail. */
export type FileSystem = Pick<
  typeof nodeFs,
  | "accessSync"
  | "closeSync"
  | "fchmodSync"
  | "fdatasyncSync"
  | "fstatSync"
  | "fsyncSync"
  | "ftruncateSync"
  | "lstatSync"
  | "openSync"
  | "readSync"
  | "realpathSync"
  | "unlinkSync"
  | "writeSync"
>;
