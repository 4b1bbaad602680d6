import { toHex } from "../../engine/digest.ts";
import { documentId } from "../../identity/ids.ts";
import type {
  ImportPackOptions,
  ImportPackReport,
  PackChoice,
  PackedDocument,
  PackSource,
} from "../../packs/pack-options.ts";
import { addDocuments } from "../add-documents.ts";
import { pathsOf } from "../contents.ts";
import { type DocumentInput, readInputs } from "../document-input.ts";
import type { LibraryParts } from "../library-parts.ts";
import type { RemoveReport } from "../library-writer.ts";
import { isBack, isDeletedToo, oursAt, outcomeOf } from "./conflict.ts";
import { requestsFor } from "./cover.ts";
import { badRemote, changedHere } from "./differences.ts";
import { byId, isMetadataOnly, type Plan, type PlannedChange, stopped } from "./plan.ts";
import type { PulledChange, PullOptions } from "./pull-options.ts";
import type { PullCount } from "./pull-progress.ts";
import type { Remote } from "./remote.ts";

/** What a pull needs of a library's writes, each of which waits for the one before it. */
export interface PullWriter {
  importPack(source: PackSource, options: ImportPackOptions): Promise<ImportPackReport>;
  remove(paths: readonly string[]): Promise<RemoveReport>;
}

/** What pulls add up, also if a pull is begun again because something changed. */
export interface Tally {
  /** By document id, in hexadecimal. */
  readonly changes: Map<string, PulledChange>;
  vectors: number;
  verified: number;
  embedded: number;
  packs: number;
}

/** The least sample of the first pack; later ones of the same pull have the same share, with no least number. */
const SAMPLE_LEAST = 16;

/** Carries out a plan: fetches packs and writes them, then removes what is removed. SPEC §28.3 */
export class PullRun {
  readonly #parts: LibraryParts;
  readonly #writer: PullWriter;
  readonly #remote: Remote;
  readonly #plan: Plan;
  readonly #options: PullOptions;
  readonly #tally: Tally;
  readonly #count: PullCount;
  readonly #planned: ReadonlyMap<string, PlannedChange>;
  /** The ids of wanted documents that have not arrived. */
  readonly #missing: Set<string>;
  /** The ids of documents that were written and that the other library does not have. */
  readonly copies: Uint8Array[] = [];

  constructor(
    parts: LibraryParts,
    writer: PullWriter,
    remote: Remote,
    plan: Plan,
    options: PullOptions,
    tally: Tally,
    count: PullCount,
  ) {
    this.#parts = parts;
    this.#writer = writer;
    this.#remote = remote;
    this.#plan = plan;
    this.#options = options;
    this.#tally = tally;
    this.#count = count;
    this.#planned = byId(plan);
    this.#missing = new Set(this.#wanted().map(({ id }) => toHex(id)));
  }

  async run(): Promise<void> {
    const wanted = this.#wanted();
    const removed = await this.#removed();
    this.#count.expect(wanted.length + removed.length);
    await this.#fetch(
      wanted.filter((change) => !isMetadataOnly(change)),
      true,
    );
    await this.#fetch(wanted.filter(isMetadataOnly), false);
    const [lacking] = this.#missing;
    if (lacking !== undefined)
      throw badRemote(`the document ${lacking}, which its tree announced`, "packs without it");
    await this.#remove(removed);
    for (const change of this.#plan.changes)
      if (change.decision === "keep" && change.isConflict) this.#note(change, "kept");
  }

  #wanted(): PlannedChange[] {
    return this.#plan.changes.filter(
      ({ decision, there }) => there !== null && (decision === "take" || decision === "ask"),
    );
  }

  /** Returns what is removed here because they removed it, asking about what was changed here. */
  async #removed(): Promise<PlannedChange[]> {
    const { conflicts = "both" } = this.#options;
    const out: PlannedChange[] = [];
    for (const change of this.#plan.changes) {
      if (change.decision === "remove") out.push(change);
      if (change.decision !== "ask" || change.there !== null) continue;
      if (await isDeletedToo(this.#parts, change, this.#pathHere(change) ?? "", conflicts)) out.push(change);
      else this.#note(change, "kept");
    }
    return out;
  }

  async #fetch(wanted: readonly PlannedChange[], vectors: boolean): Promise<void> {
    const { database, state } = this.#parts;
    const { signal } = this.#options;
    const ids = wanted.map(({ id }) => id);
    const differing = this.#plan.changes.map(({ id }) => id);
    const requests = database.snapshot(() => requestsFor(state.trees.text, ids, differing));
    for (const { prefixes, ids: asked } of requests) {
      if (signal?.aborted) throw stopped(signal);
      // Packs may have more than what was asked for.
      if (!asked.some((id) => this.#missing.has(toHex(id)))) continue;
      const request = { vectors, ...(signal === undefined ? {} : { signal }) };
      for await (const pack of this.#remote.packs(prefixes, request)) await this.#import(pack);
    }
  }

  async #import(pack: AsyncIterable<Uint8Array>): Promise<void> {
    const { verify, signal } = this.#options;
    const arrived: { id: string; change: PulledChange }[] = [];
    const copied: Uint8Array[] = [];
    const ours: DocumentInput[] = [];
    const report = await this.#writer.importPack(this.#count.counted(pack), {
      ...(verify === undefined ? {} : { verify }),
      ...(signal === undefined ? {} : { signal }),
      sampleLeast: this.#tally.packs === 0 ? SAMPLE_LEAST : 1,
      choose: async (document) => {
        const change = this.#announced(document);
        if (change === null) return "leave";
        const { choice, noted, copy } = await this.#chosen(change, document);
        arrived.push({ id: document.id, change: noted });
        if (copy !== null) {
          copied.push(documentId(this.#parts.engine, copy, this.#parts.state.canon.namespace));
          if (choice === "take") ours.push(oursAt(this.#parts, change.id, copy));
        }
        return choice;
      },
      onChecked: async () => {
        // Written before theirs takes its place: whenever the process ends, our version is somewhere.
        if (ours.length > 0) await addDocuments(this.#parts, readInputs(ours), {});
      },
      onProgress: ({ step, documents }) => {
        if (step === "writing") this.#count.within(documents);
      },
    });
    for (const { id, change } of arrived) {
      this.#missing.delete(id);
      this.#tally.changes.set(id, change);
    }
    this.#count.done("pulling", arrived.length);
    this.copies.push(...copied);
    this.#tally.packs++;
    this.#tally.vectors += report.vectors;
    this.#tally.verified += report.verified;
    this.#tally.embedded += report.embedded;
  }

  /** Returns what was planned for a document that arrived; null if it is not wanted. */
  #announced(document: PackedDocument): PlannedChange | null {
    if (!this.#missing.has(document.id)) return null;
    const change = this.#planned.get(document.id)!;
    const { text, metadata } = change.there!;
    if (document.value !== toHex(text) || document.metadataHash !== toHex(metadata))
      throw badRemote(`${document.path} as its tree announced it`, "another version");
    const here = this.#parts.state.documentValue(change.id);
    if (here !== (change.here === null ? null : toHex(change.here.text))) throw changedHere(document.path);
    return change;
  }

  async #chosen(
    change: PlannedChange,
    document: PackedDocument,
  ): Promise<{ choice: PackChoice; noted: PulledChange; copy: string | null }> {
    const { path } = document;
    const { conflicts = "both" } = this.#options;
    const kind = change.here === null ? "added" : isMetadataOnly(change) ? "metadata" : "updated";
    const taken = { choice: "take" as const, noted: pulled(change, path, kind), copy: null };
    const left = { choice: "leave" as const, noted: pulled(change, path, "kept"), copy: null };
    if (change.decision === "take") return taken;
    if (change.here === null) return (await isBack(document, conflicts)) ? taken : left;
    const { isTheirs, copy } = await outcomeOf(this.#parts, change, document, conflicts);
    if (copy === null) return isTheirs ? taken : left;
    const noted = pulled(change, path, isTheirs ? kind : "kept", copy);
    return { choice: isTheirs ? "take" : { path: copy }, noted, copy };
  }

  async #remove(changes: readonly PlannedChange[]): Promise<void> {
    const paths = changes.map((change) => this.#pathHere(change));
    await this.#writer.remove(paths.filter((path) => path !== null));
    for (const [i, change] of changes.entries()) this.#note(change, "removed", paths[i]!);
    this.#count.done("removing", changes.length);
  }

  #pathHere({ id }: PlannedChange): string | null {
    return pathsOf(this.#parts.database, [toHex(id)])[0]!;
  }

  #note(change: PlannedChange, kind: PulledChange["change"], path = this.#pathHere(change)): void {
    this.#tally.changes.set(toHex(change.id), pulled(change, path, kind));
  }
}

function pulled(
  { id, isConflict }: PlannedChange,
  path: string | null,
  change: PulledChange["change"],
  copy: string | null = null,
): PulledChange {
  return { documentId: toHex(id), path, change, isConflict, copy };
}
