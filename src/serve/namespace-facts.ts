import type { Namespaces } from "../index.ts";
import type { QueryAnswer } from "./query-schema.ts";

type Facts = QueryAnswer["stats"]["faiss"];

/** The size and kind of each namespace's index. They belong to a root, so they are counted once for each. */
export class NamespaceFacts {
  readonly #namespaces: Namespaces;
  readonly #known = new Map<string, { readonly root: string; readonly facts: Facts }>();

  constructor(namespaces: Namespaces) {
    this.#namespaces = namespaces;
  }

  /** `root` is that of an answer, whose facts are meant; null for the facts that were last known. */
  async of(namespace: string, root: string | null): Promise<Facts> {
    const known = this.#known.get(namespace);
    if (known !== undefined && (root === null || known.root === root)) return known.facts;
    const { facts, root: counted } = await this.#namespaces.use(namespace, async (library) => {
      const { chunks, embeddings, unusedEmbeddings, outsideVectors, root: at } = await library.stats();
      const { index, segment, vectors } = library.canonParts;
      const distinct = vectors === "model" ? embeddings - unusedEmbeddings : outsideVectors;
      const isLarge = distinct > Number(segment);
      const isGraph = index === "hnsw" || (index === "auto" && isLarge); // SPEC §14.3
      return {
        root: at,
        facts: {
          ntotal: chunks,
          dimension: library.dimension,
          index_type: isGraph ? ("HNSW" as const) : ("Flat" as const),
        },
      };
    });
    this.#known.set(namespace, { root: counted, facts });
    return facts;
  }

  forget(namespace: string): void {
    this.#known.delete(namespace);
  }
}
