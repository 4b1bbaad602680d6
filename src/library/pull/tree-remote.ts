import { toHex } from "../../engine/digest.ts";
import type { Engine } from "../../engine/engine.ts";
import { bytesOfBase64 } from "./base64.ts";
import { bitsOfDigits } from "./cover.ts";
import { badRemote } from "./differences.ts";
import type { Remote } from "./remote.ts";
import {
  decodeIndex,
  decodeNodes,
  INDEX_BYTES_MAX,
  INDEX_NAME,
  NODES_BYTES_MAX,
  nodesName,
  type PartNodes,
  packName,
  partDigest,
  type TreeIndex,
  type TreePart,
} from "./tree-index.ts";

/** The files of an exported tree: in a folder, or behind an address. */
export interface TreeFiles {
  /** The folder or the address: a name that lasts. */
  readonly name: string;
  /** Yields the bytes of a file, and never more than `bytesMax`. @throws {SelfsameError} FILE_MISSING, FILE_TOO_LARGE */
  read(name: string, bytesMax: number, signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

/** Returns an exported tree as `pull` sees it. Only the files of parts that differ are read. SPEC §28.6 */
export function treeRemote(engine: Engine, files: TreeFiles): Remote {
  let index: TreeIndex | null = null;
  let byPrefix = new Map<string, TreePart>();
  const kept = new Map<string, PartNodes>();
  const current = (): TreeIndex => {
    if (index === null) throw badRemote("its index to be read first", "a question before");
    return index;
  };
  const nodesOf = async (digest: string): Promise<PartNodes> => {
    const known = kept.get(digest);
    if (known !== undefined) return known;
    const bytes = await joined(files.read(nodesName(digest), NODES_BYTES_MAX));
    if (toHex(partDigest(engine, current().canon, bytes)) !== digest)
      throw badRemote(`nodes with the digest ${digest}`, "others");
    const nodes = decodeNodes(bytes);
    kept.set(digest, nodes);
    return nodes;
  };
  const partOf = (digits: string): TreePart | undefined => {
    for (let length = 0; length <= digits.length; length++) {
      const part = byPrefix.get(digits.slice(0, length));
      if (part !== undefined) return part;
    }
    return undefined;
  };
  return {
    name: files.name,
    async head() {
      index = decodeIndex(await joined(files.read(INDEX_NAME, INDEX_BYTES_MAX)));
      byPrefix = new Map(index.parts.map((part) => [part.prefix, part]));
      kept.clear();
      const { namespace, canon, root, metadataRoot } = index;
      return { namespace, canon, root, metadataRoot };
    },
    async nodes(prefixes, tree) {
      const out: Uint8Array[] = [];
      for (const prefix of prefixes) {
        const nodes = await nodesOf(partOf(prefix)?.digest ?? current().top);
        out.push(bytesOfBase64(Object.hasOwn(nodes[tree], prefix) ? nodes[tree][prefix]! : ""));
      }
      return out;
    },
    async paths(ids) {
      const out: (string | null)[] = [];
      for (const id of ids) {
        const part = partOf(id);
        const { paths } = part === undefined ? { paths: {} } : await nodesOf(part.digest);
        out.push(Object.hasOwn(paths, id) ? (paths as PartNodes["paths"])[id]! : null);
      }
      return out;
    },
    async *packs(prefixes, { signal }) {
      for (const { prefix, digest, bytes } of current().parts) {
        const bits = bitsOfDigits(prefix);
        if (prefixes.some((each) => each.startsWith(bits) || bits.startsWith(each)))
          yield files.read(packName(digest), bytes, signal);
      }
    },
  };
}

async function joined(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}
