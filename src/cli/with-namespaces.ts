import { existsSync } from "node:fs";
import { SelfsameError } from "../errors/index.ts";
import { type Namespaces, openNamespaces } from "../index.ts";

/** The options of commands that work on namespaces. */
export interface NamespacesCommandOptions {
  readonly data: string;
  readonly model?: string;
  readonly json?: boolean;
}

/** Opens the folder of the namespaces for one command. `isMade` allows it to be missing. */
export async function withNamespaces(
  { data, model, isMade }: NamespacesCommandOptions & { readonly isMade: boolean },
  work: (namespaces: Namespaces) => Promise<void>,
): Promise<void> {
  if (!isMade && !existsSync(data))
    throw new SelfsameError(
      "FILE_MISSING",
      `expected a folder of namespaces at ${data}, got none`,
      "Name it with --data",
    );
  const namespaces = await openNamespaces(data, model === undefined ? {} : { model });
  try {
    await work(namespaces);
  } finally {
    await namespaces.close();
  }
}
