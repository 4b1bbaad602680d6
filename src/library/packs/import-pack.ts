import { runAtOnce } from "../../engine/breather.ts";
import { toHex } from "../../engine/digest.ts";
import { badArgument, checkKinds } from "../../errors/arguments.ts";
import { abortedError } from "../../errors/selfsame-error.ts";
import { leavesBelow } from "../../identity/leaves-below.ts";
import type { ImportPackOptions, ImportPackReport, PackSource } from "../../packs/pack-options.ts";
import type { LibraryParts } from "../library-parts.ts";
import { duplicateFinder, setDuplicates } from "../outside/dedupe.ts";
import { type CheckedPack, checkPack } from "./check-pack.ts";
import { PackMeter } from "./pack-progress.ts";
import { openPack } from "./pack-spool.ts";
import { PackImport } from "./write-pack.ts";

const VERIFICATIONS: readonly unknown[] = ["all", "sample", "none", undefined];
const REMOVE_AT_ONCE = 256;

/**
 * Brings a pack into a library: `Library.importPack`. The pack is read twice. First everything about it is checked and its
 * vectors are verified; only then are its documents written, section by section, each in one transaction. SPEC §27.5
 */
export async function importPack(
  parts: LibraryParts,
  source: PackSource,
  options: ImportPackOptions,
): Promise<ImportPackReport> {
  checkKinds(options, {
    ...{ replace: "flag", as: "text", choose: "function", onChecked: "function", sampleLeast: "count" },
    ...{ expectRoot: "text", signal: "signal", onProgress: "function" },
  });
  if (!VERIFICATIONS.includes(options.verify))
    throw badArgument("verify", "all, sample or none", options.verify);
  const { database, state } = parts;
  const pack = await openPack(database, source);
  try {
    const checked = await checkPack(parts, pack.read(), options);
    await checked.vectors.finish();
    await options.onChecked?.();
    const written = new PackImport(parts, checked, options);
    const duplicates = await duplicateFinder(parts);
    try {
      await written.write(pack.read(), duplicates === null);
      const removed =
        options.replace === true ? await removeOthers(parts, checked, options, duplicates === null) : 0;
      return {
        ...written.counts,
        removed,
        verified: checked.vectors.verified,
        pack: toHex(checked.end.digest),
        packRoot: checked.header.root,
        signedBy: checked.signedBy,
        root: state.root(),
      };
    } finally {
      // Also after a stop: what is written must be ranked as it is everywhere.
      if (duplicates !== null) database.transaction(() => setDuplicates(database, runAtOnce(duplicates())));
      await database.settled();
    }
  } finally {
    pack.drop();
  }
}

/** Removes the documents below the pack's prefixes that it does not have. Returns how many. */
async function removeOthers(
  { database, ingest, semantic, state }: LibraryParts,
  { header, ids }: CheckedPack,
  { signal, onProgress }: ImportPackOptions,
  follows: boolean,
): Promise<number> {
  const others = database.snapshot(() => {
    const found: Uint8Array[] = [];
    for (const prefix of header.prefixes!)
      for (const { id } of leavesBelow(state.trees.text, prefix)) if (!ids.has(id)) found.push(id.slice());
    return found;
  });
  const meter = new PackMeter(onProgress, "removing", { documents: others.length, vectors: 0 });
  let removed = 0;
  for (let from = 0; from < others.length; from += REMOVE_AT_ONCE) {
    if (signal?.aborted)
      throw abortedError(signal, `${others.length} documents removed`, `a stop after ${from}`);
    const { gone, changes } = ingest.remove(others.slice(from, from + REMOVE_AT_ONCE));
    if (follows) semantic.apply(changes);
    removed += gone.length;
    meter.add(gone.length, 0);
    await database.settled();
  }
  return removed;
}
