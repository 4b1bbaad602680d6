// The parts of @journeyapps/wa-sqlite that the store calls; the package itself types only its awaited wrapper.

declare module "@journeyapps/wa-sqlite/dist/wa-sqlite.mjs" {
  export interface ModuleOptions {
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object;
    print(line: string): void;
    printErr(line: string): void;
  }

  export default function factory(options: ModuleOptions): Promise<import("./sqlite-module.ts").SqliteModule>;
}

declare module "@journeyapps/wa-sqlite/src/FacadeVFS.js" {
  /** Turns SQLite's calls on a VFS (x…) into calls with JavaScript values (j…). */
  export class FacadeVFS {
    readonly name: string;
    mxPathname: number;
    constructor(name: string, module: object);
    hasAsyncMethod(method: string): boolean;
    jOpen(name: string | null, file: number, flags: number, outFlags: DataView): number;
    jDelete(name: string, syncDirectory: number): number;
    jAccess(name: string, flags: number, out: DataView): number;
    jFullPathname(name: string, out: Uint8Array): number;
    jClose(file: number): number;
    jRead(file: number, data: Uint8Array, offset: number): number;
    jWrite(file: number, data: Uint8Array, offset: number): number;
    jTruncate(file: number, size: number): number;
    jSync(file: number, flags: number): number;
    jFileSize(file: number, out: DataView): number;
    jLock(file: number, level: number): number;
    jUnlock(file: number, level: number): number;
    jCheckReservedLock(file: number, out: DataView): number;
    jSectorSize(file: number): number;
    jDeviceCharacteristics(file: number): number;
  }
}

declare module "fs-native-extensions" {
  interface LockOptions {
    shared?: boolean;
  }
  export function tryLock(fd: number, offset: number, length: number, options?: LockOptions): boolean;
  export function tryUpgradeLock(fd: number, offset: number, length: number): boolean;
  export function tryDowngradeLock(fd: number, offset: number, length: number): boolean;
  export function unlock(fd: number, offset: number, length: number): void;
}
