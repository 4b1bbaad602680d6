import { littleEndianBytes } from "../../engine/byte-order.ts";
import { toHex } from "../../engine/digest.ts";
import { SelfsameError } from "../../errors/selfsame-error.ts";
import {
  deleteUnverified,
  markWrongPack,
  packOfVector,
  replaceEmbedding,
  WRONG_PACK,
} from "../../store/packs.ts";
import { utf8 } from "../../text/canonical.ts";
import { forgetGraphs } from "../kept-graph.ts";
import type { LibraryParts } from "../library-parts.ts";
import { deleteSetting, writeSetting } from "../setting.ts";
import { VECTORS_ASIDE, vectorsChanged } from "../vectors-epoch.ts";

const EMBED_AT_ONCE = 64;

/**
 * Sets aside all vectors of the pack that brought the vector of this text, which is wrong. Until they are computed here, no
 * search uses vectors. Returns how many there are. SPEC §27.7
 *
 * @throws {SelfsameError} DATABASE_CORRUPT if the vector did not come with a pack
 */
export async function quarantinePack({ database }: LibraryParts, textHash: Uint8Array): Promise<number> {
  return database.transaction(() => {
    const pack = packOfVector(database, textHash);
    if (pack === null)
      throw new SelfsameError(
        "DATABASE_CORRUPT",
        `expected the vector of the text ${toHex(textHash)} that the model gives, got another one`,
        "Run selfsame doctor, and selfsame index --force to compute vectors again",
      );
    forgetGraphs(database);
    vectorsChanged(database);
    const aside = markWrongPack(database, pack);
    writeSetting(database, VECTORS_ASIDE, aside);
    return aside;
  });
}

/** Returns how many vectors are set aside. */
export function quarantined({ database }: Pick<LibraryParts, "database">): number {
  return database.get<{ found: number }>("SELECT count(*) AS found FROM unverified WHERE pack = ?", [
    WRONG_PACK,
  ])!.found;
}

/** Computes vectors that are set aside, the next ones. Returns how many are left. */
export async function repairVectors(parts: LibraryParts, signal?: AbortSignal): Promise<number> {
  const { database, embedder, state } = parts;
  const rows = database.all<{ textHash: Uint8Array; found: string | null }>(
    `SELECT textHash, (SELECT text FROM chunks WHERE chunks.textHash = unverified.textHash LIMIT 1) AS found
     FROM unverified WHERE pack = ? ORDER BY textHash LIMIT ${EMBED_AT_ONCE}`,
    [WRONG_PACK],
  );
  const known = rows.filter((row): row is { textHash: Uint8Array; found: string } => row.found !== null);
  const made = await database.idle(() =>
    embedder.embedCanonical(
      known.map(({ found }) => utf8(found)),
      { signal },
    ),
  );
  database.transaction(() => {
    state.checkCanon();
    for (const [i, { textHash }] of known.entries())
      replaceEmbedding(database, textHash, state.model, littleEndianBytes(made[i]!));
    for (const { textHash, found } of rows) {
      deleteUnverified(database, textHash);
      // No document has this text: its vector cannot be checked, so it is dropped.
      if (found === null) database.run("DELETE FROM embeddings WHERE textHash = ?", [textHash]);
    }
    vectorsChanged(database);
    if (quarantined(parts) === 0) deleteSetting(database, VECTORS_ASIDE);
  });
  return quarantined(parts);
}
