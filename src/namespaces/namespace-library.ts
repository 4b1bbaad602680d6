import { membersOf } from "../errors/plain-object.ts";
import { Library } from "../library/library.ts";
import { handedOver } from "../packs/handover.ts";
import type { ExportPackOptions } from "../packs/pack-options.ts";

type Call = (library: Library) => unknown;
type Methods = Record<string, (...values: unknown[]) => unknown>;

/** What a namespace's library does itself. */
export interface NamespaceCalls {
  /** Runs a call on the open library, which is opened if it is closed. */
  readonly run: (call: Call) => Promise<unknown>;
  /** Methods that are answered without the open library of this thread. */
  readonly instead: Partial<Record<keyof Library, (...values: never[]) => Promise<unknown>>>;
}

/**
 * Returns a library that can be closed and opened again between two calls. Each method opens it if needed and keeps it
 * open until it is done. Properties are those of the library when it was first opened.
 */
export function namespaceLibrary(opened: Library, { run, instead }: NamespaceCalls): Library {
  const library = Object.create(Library.prototype) as Library;
  for (const [name, { get, value }] of membersOfLibrary()) {
    if (name === "constructor") continue;
    if (name === "exportPack") {
      Object.defineProperty(library, name, { value: exportOf(run) });
      continue;
    }
    const method =
      (instead as Methods)[name] ??
      (async (...values: unknown[]) => {
        const given = values.map((each) => copied(each, 0));
        return run((open) => (open as unknown as Methods)[name]!(...given));
      });
    const constant = get === undefined ? undefined : (get.call(opened) as unknown);
    Object.defineProperty(library, name, { value: value === undefined ? constant : method });
  }
  return library;
}

/** The library stays open until the last piece was taken. */
function exportOf(run: NamespaceCalls["run"]): Library["exportPack"] {
  return (options = {}) => {
    const given = copied(options, 0) as ExportPackOptions;
    return handedOver((hand) =>
      run(async (open) => {
        for await (const piece of open.exportPack(given)) await hand(piece);
      }),
    );
  };
}

/** Returns the methods and properties of a library, those of its superclass included. */
function membersOfLibrary(): [string, PropertyDescriptor][] {
  const members: [string, PropertyDescriptor][] = [];
  for (let type: object = Library.prototype; type !== Object.prototype; type = Object.getPrototypeOf(type))
    members.unshift(...Object.entries(Object.getOwnPropertyDescriptors(type)));
  return members;
}

const DEPTH_MAX = 64;

/**
 * Copies lists and plain objects: the caller may change them while the library is being opened. Functions, signals and
 * bytes stay what they are. Values that cannot be read, or deeper ones than any valid argument has, are left for the
 * library to refuse.
 */
export function copied(value: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) return value;
  if (Array.isArray(value)) return Array.from(value, (each) => copied(each, depth + 1));
  const members = membersOf(value);
  if (members === null) return value;
  return Object.fromEntries(members.map(([name, each]) => [name, copied(each, depth + 1)]));
}
