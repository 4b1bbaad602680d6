import { SelfsameError } from "../errors/selfsame-error.ts";
import type { NamespacesOptions } from "./namespaces-options.ts";
import type { Namespaces } from "./namespaces-port.ts";

/**
 * Opens a folder of namespaces, made if it is missing. In Node, Deno and Bun. Several processes may share it.
 *
 * @example
 * const namespaces = await openNamespaces("data", { maxActive: 3 });
 * const notes = await namespaces.get("notes");
 * await notes.search("how are ties broken?");
 * await namespaces.close();
 */
export async function openNamespaces(folder: string, options: NamespacesOptions = {}): Promise<Namespaces> {
  // Loaded when it is used: most programs open single libraries.
  const { default: openFolder } = await import("#namespaces");
  if (openFolder === null)
    throw new SelfsameError(
      "BAD_ARGUMENT",
      "expected a host with folders, got a browser",
      "Open single libraries",
    );
  return openFolder(folder, options);
}
