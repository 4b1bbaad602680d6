import { littleEndianBytes } from "../../engine/byte-order.ts";
import { toHex } from "../../engine/digest.ts";
import { SelfsameError } from "../../errors/selfsame-error.ts";
import { packDamaged } from "../../packs/damage.ts";
import type { PackHeader } from "../../packs/pack-header.ts";
import type { ImportPackOptions } from "../../packs/pack-options.ts";
import type { PackBatch } from "../../packs/pack-reader.ts";
import { embeddingOf, packOfVector } from "../../store/packs.ts";
import { utf8, utf8ToString } from "../../text/canonical.ts";
import type { LibraryParts } from "../library-parts.ts";
import { PackMeter } from "./pack-progress.ts";
import type { PackText } from "./pack-texts.ts";
import { quarantinePack } from "./quarantine.ts";
import { Reservoir } from "./reservoir.ts";

/** A text with the vector that a pack says it has. */
interface Claim extends PackText {
  readonly vector: Uint8Array;
}

const SAMPLE = { least: 16, share: 100 };
/** Texts are embedded this many at a time, so that all threads have work and progress can be told. */
const EMBED_AT_ONCE = 64;

/**
 * Verifies the vectors of a pack before anything is written: those that are known here by comparison, and a random sample
 * of the others, or all, by embedding their texts. SPEC §27.7
 */
export class VectorCheck {
  readonly #parts: LibraryParts;
  readonly #options: ImportPackOptions;
  readonly #sample: Reservoir<Claim>;
  /** The texts whose vectors were embedded here and found right, by hash in hexadecimal. */
  readonly #right = new Set<string>();
  /** Known texts whose vectors here differ: one of both is wrong. */
  readonly #disputed: Claim[] = [];
  readonly #meter: () => PackMeter;
  /** How many vectors are known to be right. */
  verified = 0;

  /** @param total the number of chunks or vectors of the pack */
  constructor(parts: LibraryParts, options: ImportPackOptions, total: number) {
    this.#parts = parts;
    this.#options = options;
    const { sampleLeast = SAMPLE.least, verify = "sample" } = options;
    const size = Math.max(sampleLeast, Math.ceil(total / SAMPLE.share));
    this.#sample = new Reservoir(verify === "sample" ? size : 0);
    let meter: PackMeter | null = null;
    this.#meter = () => {
      meter ??= new PackMeter(options.onProgress, "verifying", {
        documents: 0,
        vectors: verify === "all" ? total : this.#sample.items.length,
      });
      return meter;
    };
  }

  /** Whether the vector of a text was verified. */
  isRight(textHash: string): boolean {
    return this.#options.verify === "all" || this.#right.has(textHash);
  }

  /** Takes the vectors of a batch. @param texts those of its documents; null if the root proves its vectors */
  async batch(
    { vectors }: PackBatch,
    texts: ReadonlyMap<string, PackText> | null,
    { contents }: PackHeader,
  ): Promise<void> {
    if (texts === null) return;
    const { database, state } = this.#parts;
    const claims: Claim[] = [];
    for (const { key, vector } of vectors) {
      const found = contents === "vectors" ? this.#textHere(key) : texts.get(toHex(key));
      if (found === undefined)
        throw packDamaged("vectors of the texts of the documents", `one of ${toHex(key)}`);
      if (found === null) continue;
      const claim = { ...found, vector };
      const own = embeddingOf(database, key, state.model);
      if (own === null) claims.push(claim);
      else if (toHex(own) !== toHex(vector)) this.#disputed.push(copied(claim));
      else if (packOfVector(database, key) === null) this.verified++;
    }
    if (this.#options.verify === "all") await this.#embed(claims);
    else if (this.#options.verify !== "none")
      for (const claim of claims) this.#sample.offer(() => copied(claim));
  }

  /** Embeds the sample. @throws {SelfsameError} PACK_VECTORS_DIFFER */
  async finish(): Promise<void> {
    await this.#embed(this.#sample.items.splice(0));
    for (const claim of this.#disputed) {
      await this.#embed([claim]);
      // The pack is right about it, so what is here is wrong.
      await quarantinePack(this.#parts, claim.textHash);
    }
  }

  async #embed(claims: readonly Claim[]): Promise<void> {
    const { database, embedder, identity } = this.#parts;
    const { signal, verify } = this.#options;
    for (let from = 0; from < claims.length; from += EMBED_AT_ONCE) {
      const some = claims.slice(from, from + EMBED_AT_ONCE);
      const made = await database.idle(() =>
        embedder.embedCanonical(
          some.map(({ text }) => text),
          { signal, expected: claims.length },
        ),
      );
      for (const [i, { textHash, text, vector }] of some.entries()) {
        if (toHex(littleEndianBytes(made[i]!)) !== toHex(vector))
          throw vectorsDiffer(textHash, text, identity.name);
        if (verify !== "all") this.#right.add(toHex(textHash));
        this.verified++;
      }
      this.#meter().add(0, some.length);
    }
  }

  /** Returns a text that the library has; null if it has none with this hash. */
  #textHere(textHash: Uint8Array): PackText | null {
    const sql = "SELECT text FROM chunks WHERE textHash = ? LIMIT 1";
    const row = this.#parts.database.get<{ text: string }>(sql, [textHash]);
    return row === undefined ? null : { textHash, text: utf8(row.text) };
  }
}

/** A claim that outlives its section. */
function copied({ textHash, text, vector }: Claim): Claim {
  return { textHash: textHash.slice(), text: text.slice(), vector: vector.slice() };
}

function vectorsDiffer(textHash: Uint8Array, text: Uint8Array, model: string): SelfsameError {
  const start = utf8ToString(text.subarray(0, 400)).slice(0, 80);
  return new SelfsameError(
    "PACK_VECTORS_DIFFER",
    `expected the vector that ${model} gives for ${JSON.stringify(start)}, got another one`,
    "Nothing was imported. Do not trust this pack: index the documents themselves, or get a pack from elsewhere",
    { details: { textHash: toHex(textHash), text: start } },
  );
}
