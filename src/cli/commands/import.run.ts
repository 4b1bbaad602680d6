import { createReadStream, existsSync, statSync } from "node:fs";
import { counted, SelfsameError } from "../../errors/index.ts";
import {
  type ImportPackReport,
  type Library,
  type OpenOptions,
  open,
  openNamespaces,
  optionsOfPack,
  type PackVerification,
} from "../../index.ts";
import { interruptible } from "../interruption.ts";
import { locateLibrary, openOrMake } from "../location.ts";
import type { NamedLibraryOptions } from "../named-library.ts";
import { bold, dim, green, print, printFields, printJson } from "../output.ts";
import { keyOf } from "../pack-key.ts";
import { PackLine } from "../pack-line.ts";
import { duration } from "../progress-bar.ts";
import { relativePath } from "../relative-path.ts";

interface ImportPackCommandOptions extends NamedLibraryOptions {
  readonly verify: PackVerification;
  readonly replace?: boolean;
  readonly as?: string;
  readonly requireSignature?: string;
}

/** Runs `selfsame import <file>`. */
export async function importPack(file: string, options: ImportPackCommandOptions): Promise<void> {
  if (!existsSync(file) || !statSync(file).isFile())
    throw new SelfsameError("FILE_MISSING", `expected a pack, got no file at ${file}`);
  const { verify, replace, as, requireSignature: key } = options;
  const source = () => createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Uint8Array>;
  const started = performance.now();
  const line = new PackLine();
  // What a new library is made with. A file that is no pack makes none.
  const fresh = await optionsOfPack(source);
  await interruptible((signal) =>
    withLibrary(options, fresh, async (library, name) => {
      const report = await library
        .importPack(source, {
          ...{ verify, signal, onProgress: line.show },
          ...(replace === undefined ? {} : { replace }),
          ...(as === undefined ? {} : { as }),
          ...(key === undefined ? {} : { requireSignature: keyOf("--require-signature", key) }),
        })
        .finally(() => line.clear());
      if (options.json) printJson({ library: name, ...report });
      else printReport(name, report, (performance.now() - started) / 1000);
    }),
  );
}

/** Opens the library or the namespace, or makes it. */
async function withLibrary(
  { db, namespace, data, model, as }: ImportPackCommandOptions,
  fresh: OpenOptions,
  work: (library: Library, name: string) => Promise<void>,
): Promise<void> {
  const given = model === undefined ? {} : { model };
  if (namespace !== undefined) {
    const { namespace: _, ...settings } = fresh;
    const namespaces = await openNamespaces(data, { ...given, ...settings });
    try {
      await namespaces.use(namespace, (library) => work(library, namespace));
    } finally {
      await namespaces.close();
    }
    return;
  }
  const file = locateLibrary(db);
  const isNew = !existsSync(file) || statSync(file).size === 0;
  const settings = isNew ? { ...fresh, ...(as === undefined ? {} : { namespace: as }) } : {};
  const library = await openOrMake(file, (name) => open(name, { ...given, ...settings }));
  try {
    await work(library, relativePath(file));
  } finally {
    await library.close();
  }
}

function printReport(name: string, report: ImportPackReport, seconds: number): void {
  const { added, updated, unchanged, removed, chunks, vectors, verified, embedded, signedBy, root } = report;
  if (added + updated + removed + vectors === 0)
    print(`Nothing changed: ${counted(unchanged, "document")} up to date.`);
  else print(`Imported in ${duration(seconds)}.`);
  printFields([
    ["added", counted(added, "document")],
    ["updated", counted(updated, "document")],
    ["unchanged", counted(unchanged, "document")],
    ...(removed > 0 ? [["removed", counted(removed, "document")] as const] : []),
    ["chunks", `${chunks} written${embedded > 0 ? `, ${counted(embedded, "text")} embedded` : ""}`],
    ["vectors", `${vectors} taken, ${verified} verified here`],
    ...(signedBy === null ? [] : [["signed by", signedBy] as const]),
    ["library", name],
    ["root", bold(green(root))],
  ]);
  if (verified < vectors) print(dim("the rest is verified while a process with this library is idle"));
}
