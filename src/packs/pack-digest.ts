import type { Engine } from "../engine/engine.ts";
import { tagField, taggedHash } from "../identity/tagged-hash.ts";
import { utf8 } from "../text/canonical.ts";

/** The first bytes of every pack: the name of the format, and its version. SPEC §27.2 */
export const MAGIC = utf8("SSPACK1\n");

const PACK = tagField("pack");

/** The digest that names a pack: a chain over the digests of its sections, in constant memory. SPEC §27.2 */
export class PackDigest {
  readonly #engine: Engine;
  #digest: Uint8Array = new Uint8Array(0);

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  add(sectionDigest: Uint8Array): void {
    this.#digest = taggedHash(this.#engine, PACK, [this.#digest, sectionDigest]);
  }

  /** Of the sections so far. */
  get bytes(): Uint8Array {
    return this.#digest;
  }
}
