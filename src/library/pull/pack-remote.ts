import { toHex } from "../../engine/digest.ts";
import type { Engine } from "../../engine/engine.ts";
import { SelfsameError } from "../../errors/selfsame-error.ts";
import { type Change, MemoryNodes, MerkleTree } from "../../identity/root.ts";
import { PackReader } from "../../packs/pack-reader.ts";
import { type CanonParts, canonDigest } from "../canon.ts";
import { badRemote } from "./differences.ts";
import type { Remote, RemoteHead } from "./remote.ts";

interface Contents {
  readonly head: RemoteHead;
  readonly trees: { readonly text: MerkleTree; readonly metadata: MerkleTree };
  readonly paths: ReadonlyMap<string, string>;
}

/**
 * Returns a pack of a whole library as `pull` sees it. The pack is read once for its trees, and once more for its documents.
 *
 * @param name where it is: a name that lasts
 * @param read opens it
 */
export function packRemote(engine: Engine, name: string, read: () => AsyncIterable<Uint8Array>): Remote {
  let contents: Contents | null = null;
  const known = (): Contents => {
    if (contents === null) throw badRemote("its header to be read first", "a question before");
    return contents;
  };
  return {
    name,
    async head() {
      contents ??= await contentsOf(engine, name, read());
      return contents.head;
    },
    nodes: async (prefixes, tree) => prefixes.map((prefix) => known().trees[tree].node(prefix)),
    paths: async (ids) => ids.map((id) => known().paths.get(id) ?? null),
    async *packs() {
      yield read();
    },
  };
}

async function contentsOf(
  engine: Engine,
  name: string,
  stream: AsyncIterable<Uint8Array>,
): Promise<Contents> {
  const reader = new PackReader(engine, stream);
  try {
    const { contents, prefixes, canon, root, metadataRoot } = await reader.header();
    if (contents === "vectors" || prefixes?.[0] !== "")
      throw new SelfsameError(
        "BAD_ARGUMENT",
        `expected the pack of a whole library to pull from, got a part of one: ${name}`,
        "Import it: selfsame import FILE",
      );
    const texts: Change[] = [];
    const metadata: Change[] = [];
    const paths = new Map<string, string>();
    for await (const { documents } of reader.batches()) {
      for (const { id, value, metadataHash, record } of documents) {
        texts.push({ id: id.slice(), value: value.slice() });
        metadata.push({ id: id.slice(), value: metadataHash.slice() });
        paths.set(toHex(id), record.path);
      }
    }
    const trees = {
      text: new MerkleTree(engine, new MemoryNodes()),
      metadata: new MerkleTree(engine, new MemoryNodes()),
    };
    trees.text.update(texts);
    trees.metadata.update(metadata);
    const digest = canonDigest(engine, canon as unknown as CanonParts);
    return { head: { namespace: canon["namespace"] ?? "", canon: digest, root, metadataRoot }, trees, paths };
  } finally {
    await reader.close();
  }
}
