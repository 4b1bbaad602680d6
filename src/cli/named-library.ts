import { SelfsameError } from "../errors/index.ts";
import type { Library } from "../index.ts";
import { withLibrary } from "./open-library.ts";
import { withNamespaces } from "./with-namespaces.ts";

/** The options of a command that reads a library or a namespace. */
export interface NamedLibraryOptions {
  readonly db?: string;
  readonly namespace?: string;
  readonly data: string;
  readonly model?: string;
  readonly json?: boolean;
}

/** Opens the library or the namespace that a command reads, which must exist. */
export async function withNamedLibrary(
  options: NamedLibraryOptions,
  work: (library: Library) => Promise<void>,
): Promise<void> {
  const { namespace, data, model } = options;
  if (namespace === undefined) return withLibrary(options.db, options, work);
  const opened = { data, isMade: false, ...(model === undefined ? {} : { model }) };
  return withNamespaces(opened, async (namespaces) => {
    if (!(await namespaces.has(namespace)))
      throw new SelfsameError(
        "FILE_MISSING",
        `expected a namespace that exists, got ${namespace}`,
        `Those in ${data}: ${(await namespaces.list()).join(", ") || "none"}`,
      );
    await namespaces.use(namespace, work);
  });
}
