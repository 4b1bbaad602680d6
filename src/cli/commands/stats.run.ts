import { counted } from "../../errors/index.ts";
import type { Library, LibraryStats } from "../../index.ts";
import { type LibraryOptions, withLibrary } from "../open-library.ts";
import { bold, dim, green, print, printFields, printJson } from "../output.ts";
import { relativePath } from "../relative-path.ts";

export async function stats(options: LibraryOptions): Promise<void> {
  await withLibrary(options.db, options, async (library) => {
    const found = await library.stats();
    if (options.json) return printJson({ library: library.name, model: library.model, ...found });
    printFields([
      ["library", relativePath(library.name)],
      ["documents", String(found.documents)],
      ["chunks", `${found.chunks} of ${counted(found.tokens, "token")}`],
      ["text", counted(found.textBytes, "byte")],
      ["vectors", vectorsLine(library, found)],
      ...(found.sparseVectors === 0
        ? []
        : [["sparse", `${counted(found.sparseVectors, "sparse vector")}`] as const]),
      ...(found.duplicates === 0
        ? []
        : [["not ranked", `${counted(found.duplicates, "near-duplicate")}`] as const]),
      ["root", bold(green(found.root))],
      ["metadata", found.metadataRoot],
      ["canon", found.canon],
    ]);
    print(
      dim("root: digest of paths and texts; metadata: of types, times and metadata; canon: of the rules"),
    );
  });
}

function vectorsLine({ canonParts, model }: Library, found: LibraryStats): string {
  const [source, dimension, ...name] = canonParts.vectors.split(" ");
  if (source === "external")
    return `${found.outsideVectors} of ${name.join(" ")}, ${dimension} numbers each, from outside`;
  return `${found.embeddings - found.unusedEmbeddings} of ${model}${kept(found)}${verified(found)}`;
}

/** Describes how many vectors were computed on this device, if some came with a pack. */
function verified({ embeddings, unverifiedEmbeddings }: LibraryStats): string {
  if (unverifiedEmbeddings === 0) return "";
  return `; ${embeddings - unverifiedEmbeddings} of ${counted(embeddings, "vector")} verified here`;
}

/**
 * Describes the vectors of texts that no document has now. They are kept so that a text that returns is not embedded
 * again.
 */
function kept({ unusedEmbeddings }: LibraryStats): string {
  return unusedEmbeddings === 0 ? "" : ` (${unusedEmbeddings} more cached, for texts that are added again)`;
}
