import { littleEndianBytes } from "../../engine/byte-order.ts";
import { toHex } from "../../engine/digest.ts";
import { deleteUnverified } from "../../store/packs.ts";
import { utf8 } from "../../text/canonical.ts";
import type { LibraryParts } from "../library-parts.ts";
import { quarantined, quarantinePack, repairVectors } from "./quarantine.ts";

/** When the model was not used for this long, there is nothing else to do. */
const IDLE_MS = 2000;
const LOOK_MS = 1000;
const FIRST_LOOK_MS = 5000;
/** This many vectors are verified before it is written down: some seconds of work. */
const AT_ONCE = 32;

interface Unverified {
  readonly textHash: Uint8Array;
  readonly text: string;
  readonly vector: Uint8Array;
}

/**
 * Verifies the vectors that came with packs, one by one, while the process has nothing else to do: the model must be in
 * memory already, and idle. Nothing waits for it, and it does not keep a process alive. SPEC §27.7
 */
export class LaterVerification {
  readonly #parts: LibraryParts;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #running: Promise<void> | null = null;
  #isClosed = false;

  constructor(parts: LibraryParts) {
    this.#parts = parts;
    if (parts.state.dimension === null) this.#soon(FIRST_LOOK_MS);
  }

  /** Looks for work again, after an import. */
  wake(): void {
    if (this.#timer === null && this.#running === null) this.#soon(LOOK_MS);
  }

  /** Stops for good, and waits for the text in progress. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
  }

  #soon(ms: number): void {
    const timer = setTimeout(() => {
      this.#timer = null;
      // What fails now (a busy file, a model that is gone) is tried again after the next import or opening.
      this.#running = this.#parts.database
        .use(() => this.#look())
        .catch(() => undefined)
        .then(() => {
          this.#running = null;
        });
    }, ms) as unknown as { unref?: () => void };
    timer.unref?.();
    this.#timer = timer as unknown as ReturnType<typeof setTimeout>;
  }

  async #look(): Promise<void> {
    if (this.#isClosed) return;
    const rows = this.#next();
    const aside = quarantined(this.#parts);
    if (rows.length === 0 && aside === 0) return;
    if (this.#isIdle()) {
      if (aside > 0) await repairVectors(this.#parts);
      else await this.verify(rows);
    }
    if (!this.#isClosed) this.#soon(this.#isIdle() ? 0 : LOOK_MS);
  }

  #isIdle(): boolean {
    const { idleMs } = this.#parts.embedder;
    return !this.#isClosed && idleMs !== null && idleMs >= IDLE_MS;
  }

  #next(): Unverified[] {
    const { database, state } = this.#parts;
    return database.all<Unverified>(
      `SELECT unverified.textHash AS textHash, text, vector FROM unverified
         JOIN chunks ON chunks.chunk = (SELECT min(chunk) FROM chunks WHERE chunks.textHash = unverified.textHash)
         JOIN embeddings ON embeddings.textHash = unverified.textHash AND model = ?
       ORDER BY unverified.textHash LIMIT ${AT_ONCE}`,
      [state.model],
    );
  }

  /** Verifies some vectors, as long as nothing else is to be done. A wrong one sets all of its pack aside. */
  async verify(rows: readonly Unverified[] = this.#next()): Promise<void> {
    const { database, embedder } = this.#parts;
    const right: Uint8Array[] = [];
    for (const { textHash, text, vector } of rows) {
      const made = await database.idle(() => embedder.embedQuietly(utf8(text)));
      if (toHex(littleEndianBytes(made)) !== toHex(vector)) {
        await quarantinePack(this.#parts, textHash);
        break;
      }
      right.push(textHash);
      if (!this.#isIdle()) break;
    }
    if (right.length === 0) return;
    database.transaction(() => {
      for (const textHash of right) deleteUnverified(database, textHash);
    });
  }
}
