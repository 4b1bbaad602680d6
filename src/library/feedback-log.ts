import { toHex } from "../engine/digest.ts";
import { tagField, taggedHash } from "../identity/tagged-hash.ts";
import { differencesOf, type FeedbackEvent, learnedWeights } from "../recall/feedback.ts";
import type { Features } from "../recall/ranker.ts";
import type { RecalledMemory } from "../recall/response.ts";
import { storedJson } from "../store/stored-json.ts";
import { utf8 } from "../text/canonical.ts";
import { canonicalJson, type Json } from "../text/canonical-json.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import type { LibraryParts } from "./library-parts.ts";

const TAG = tagField("feedback");

/** The events of feedback that a library keeps: a set, since each is stored under its own digest. SPEC §26.11 */
export class FeedbackLog {
  readonly #parts: Pick<LibraryParts, "engine" | "database">;

  constructor(parts: Pick<LibraryParts, "engine" | "database">) {
    this.#parts = parts;
  }

  /** Keeps an event. Returns its id; one that is there already is kept once. */
  add(event: FeedbackEvent): string {
    const { engine, database } = this.#parts;
    const said = canonicalJson(event as unknown as Json);
    const id = taggedHash(engine, TAG, [utf8(said)]);
    database.transaction(() =>
      database.run("INSERT OR IGNORE INTO feedback (event, said) VALUES (?, ?)", [id, said]),
    );
    return toHex(id);
  }

  /** Forgets all events. Returns how many there were. */
  reset(): number {
    const { database } = this.#parts;
    return database.transaction(() => database.run("DELETE FROM feedback"));
  }

  /** Returns the weights after what was learned. */
  weights(weights: Features): Features {
    const { database } = this.#parts;
    const events = database
      .all<{ said: string }>("SELECT said FROM feedback")
      .map(({ said }) => storedJson<FeedbackEvent>(database, said, "feedback", isEvent));
    return learnedWeights(weights, events);
  }
}

function isEvent(value: unknown): boolean {
  const differences = (value as Partial<FeedbackEvent> | null)?.differences;
  return (
    typeof differences === "object" &&
    differences !== null &&
    Object.values(differences).every((each) => Number.isInteger(each) && Math.abs(each) <= 1_000_000)
  );
}

/**
 * Makes an event of what was accepted and rejected of an answer. Without rejected ones, what stood before the last
 * accepted one and was not accepted counts as rejected: the person passed it by. SPEC §26.11
 */
export function feedbackEvent(
  query: string,
  results: readonly RecalledMemory[],
  accepted: readonly string[],
  rejected: readonly string[],
  at: number,
): FeedbackEvent {
  const isNamed = (names: readonly string[]) => (each: RecalledMemory) =>
    names.includes(each.chunk_id) || names.includes(each.doc_id);
  const good = results.filter(isNamed(accepted));
  const last = good.length === 0 ? 0 : results.indexOf(good.at(-1)!);
  const bad =
    rejected.length > 0
      ? results.filter((each) => isNamed(rejected)(each) && !good.includes(each))
      : results.slice(0, last).filter((each) => !good.includes(each));
  const idsOf = (some: readonly RecalledMemory[]) => some.map(({ chunk_id }) => chunk_id).sort(compareUtf8);
  const featuresOf = (some: readonly RecalledMemory[]) => some.map(({ features }) => features);
  return {
    query,
    accepted: idsOf(good),
    rejected: idsOf(bad),
    at,
    differences: differencesOf(featuresOf(good), featuresOf(bad)),
  };
}
