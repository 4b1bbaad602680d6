import { counted } from "../../errors/index.ts";
import { print, printJson } from "../output.ts";
import { type NamespacesCommandOptions, withNamespaces } from "../with-namespaces.ts";

/** Runs `selfsame restore`. */
export async function restore(
  namespace: string,
  folder: string,
  options: NamespacesCommandOptions,
): Promise<void> {
  await withNamespaces({ ...options, isMade: true }, async (namespaces) => {
    const { metadata } = await namespaces.restore(namespace, folder);
    if (options.json) {
      printJson(metadata);
      return;
    }
    const { documents, ntotal, created_at, root } = metadata;
    print(
      `${namespace}: ${counted(documents, "document")}, ${counted(ntotal, "chunk")}, as of ${created_at}`,
    );
    print(`root ${root}`);
  });
}
