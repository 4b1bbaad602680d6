import type { FileSystem } from "./file-system.node.ts";

/**
 * Wraps the functions of a file system with a check of the lock: before everything that changes a file, so that a
 * process that has lost its lock writes nothing, and after every read, so that it does not use anything it read after
 * losing the lock.
 *
 * @param confirm throws if the lock is lost
 */
export function guarded(fs: FileSystem, confirm: () => void): FileSystem {
  type Operation = (...args: never[]) => unknown;
  const before = <F extends Operation>(operation: F) =>
    ((...args: Parameters<F>) => {
      confirm();
      return operation(...args);
    }) as F;
  const after = <F extends Operation>(operation: F) =>
    ((...args: Parameters<F>) => {
      const result = operation(...args);
      confirm();
      return result;
    }) as F;
  return {
    ...fs,
    openSync: before(fs.openSync),
    writeSync: before(fs.writeSync),
    ftruncateSync: before(fs.ftruncateSync),
    unlinkSync: before(fs.unlinkSync),
    readSync: after(fs.readSync),
  };
}
