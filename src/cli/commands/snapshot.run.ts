import { counted } from "../../errors/index.ts";
import { print, printJson } from "../output.ts";
import { relativePath } from "../relative-path.ts";
import { type NamespacesCommandOptions, withNamespaces } from "../with-namespaces.ts";

/** Runs `selfsame snapshot`. */
export async function snapshot(namespace: string, options: NamespacesCommandOptions): Promise<void> {
  await withNamespaces({ ...options, isMade: false }, async (namespaces) => {
    const { folder, metadata } = await namespaces.snapshot(namespace);
    if (options.json) {
      printJson({ folder, ...metadata });
      return;
    }
    const { documents, ntotal, root } = metadata;
    print(`${relativePath(folder)}: ${counted(documents, "document")}, ${counted(ntotal, "chunk")}`);
    print(`root ${root}`);
  });
}
