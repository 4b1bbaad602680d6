import { Breather } from "../../engine/breather.ts";
import { badArgument } from "../../errors/arguments.ts";
import { abortedError, SelfsameError } from "../../errors/selfsame-error.ts";
import { isPrefixes, type PackCounts, type PackHeader, SELECTION_MAX } from "../../packs/pack-header.ts";
import type { ExportPackOptions } from "../../packs/pack-options.ts";
import { type PackItem, writePack } from "../../packs/pack-writer.ts";
import { signerOf } from "../../packs/signature.ts";
import { compileGlobs } from "../../search/glob.ts";
import type { LibraryParts } from "../library-parts.ts";
import type { Roots } from "../library-state.ts";
import { PackMeter } from "./pack-progress.ts";
import {
  nextItems,
  nextVectors,
  type Selection,
  selectionCounts,
  selectionRoots,
  vectorsCount,
} from "./read-library.ts";

/**
 * Writes a pack of a library: `Library.exportPack`. It reads some documents at a time and holds no lock between them; if
 * the library changes meanwhile, the export ends with PACK_OUTDATED. SPEC §27
 */
export async function* exportPack(
  parts: LibraryParts,
  options: ExportPackOptions,
): AsyncGenerator<Uint8Array, void> {
  const { signal, onProgress, vectorsOnly = false, vectors = true } = options;
  const sign = options.sign === undefined ? null : signerOf(options.sign);
  const selection = selectionOf(options);
  const { engine, database, identity, state } = parts;
  if (vectorsOnly && state.dimension !== null)
    throw badArgument("vectorsOnly", `false for a library with vectors ${state.canon.vectors}`, true);
  if (!vectors && (vectorsOnly || state.dimension !== null))
    throw badArgument(
      "vectors",
      `true for ${vectorsOnly ? "vectors alone" : "vectors that came with chunks"}`,
      vectors,
    );
  const check = () => {
    if (signal?.aborted) throw abortedError(signal, "a whole pack", "a stop");
  };
  const breather = new Breather(check);
  const roots = await database.use(() => state.roots());
  const reading = async <T>(read: () => T): Promise<T> => {
    check();
    return database.use(() => database.snapshot(() => sameState(parts, roots, read)));
  };
  const selected = selection.isAll ? roots : await selectionRoots(parts, selection, breather, reading);
  const counts: PackCounts = vectorsOnly
    ? { documents: 0, chunks: 0, textBytes: 0, vectors: await reading(() => vectorsCount(parts, selection)) }
    : { ...(await reading(() => selectionCounts(parts, selection))), vectors: 0 };
  const header: PackHeader = {
    contents: vectorsOnly ? "vectors" : vectors ? "documents" : "texts",
    canon: { ...state.canon },
    dimension: state.dimension ?? identity.hidden,
    prefixes: selection.prefixes,
    paths: selection.paths,
    counts,
    root: selected.root,
    metadataRoot: selected.metadataRoot,
  };
  const meter = new PackMeter(onProgress, "exporting", {
    documents: counts.documents,
    vectors: vectorsOnly ? counts.vectors : counts.chunks,
  });
  const read = vectorsOnly ? nextVectors : nextItems;
  let bytes = 0;
  async function* items(): AsyncGenerator<PackItem, void> {
    for (let after: Uint8Array | null = new Uint8Array(0); after !== null; ) {
      const from: Uint8Array = after;
      const next = await reading(() => read(parts, selection, from));
      for (const item of next.items) yield vectors ? item : { ...item, vectors: [] };
      meter.add(vectorsOnly ? 0 : next.items.length, next.chunks, bytes);
      after = next.after;
      await breather.due();
    }
  }
  for await (const piece of writePack(engine, header, items(), sign)) {
    bytes += piece.length;
    yield piece;
  }
  await reading(() => undefined);
}

function selectionOf({ prefixes, paths }: ExportPackOptions): Selection {
  if (paths !== undefined) {
    if (prefixes !== undefined) throw badArgument("paths", "given without prefixes", paths);
    if (!Array.isArray(paths) || paths.length === 0 || paths.length > SELECTION_MAX)
      throw badArgument("paths", `a list of 1 to ${SELECTION_MAX} patterns`, paths);
    const glob = compileGlobs(paths, "paths");
    return {
      prefixes: null,
      paths: [...paths],
      isAll: false,
      ranges: [""],
      matches: (path) => glob.matches(path),
    };
  }
  const given: unknown = prefixes ?? [""];
  const sorted = Array.isArray(given) ? [...given].sort() : given;
  if (!isPrefixes(sorted))
    throw badArgument(
      "prefixes",
      `a list of 1 to ${SELECTION_MAX} texts of 0 and 1, none within another`,
      prefixes,
    );
  return { prefixes: sorted, paths: null, isAll: sorted[0] === "", ranges: sorted, matches: null };
}

function sameState<T>({ database, state }: LibraryParts, expected: Roots, read: () => T): T {
  const { root, metadataRoot } = state.roots();
  if (root === expected.root && metadataRoot === expected.metadataRoot) return read();
  throw new SelfsameError(
    "PACK_OUTDATED",
    `expected ${database.name} to stay as it was while it was exported, got a change`,
    "Export again",
    { details: { root: expected.root, now: root } },
  );
}
