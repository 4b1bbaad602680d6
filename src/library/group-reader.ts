import { Breather } from "../engine/breather.ts";
import type { SkippedFile } from "../files/found-file.ts";
import type { Pauses } from "../files/pauses.ts";
import { countChunks } from "./count-chunks.ts";
import { type DocumentInput, readInputs } from "./document-input.ts";
import type { Metadata, MetadataFault } from "./file-metadata.ts";
import type { LibraryParts } from "./library-parts.ts";
import type { Progress } from "./progress.ts";
import { readDocument } from "./read-document.ts";

/** Files are read in groups of about this many bytes. Each group is written before the next is read. */
const GROUP_BYTES = 8 << 20;
/** Texts of this many bytes are kept between counting and adding. What comes after them is read twice. */
const KEPT_BYTES = 64 << 20;

/** How files of one host are read. */
export interface FileSource<F> {
  /** Returns the bytes of a file; null if it is not there any more. */
  read(file: F): Promise<Uint8Array | null>;
  /** The canonical path of its document. */
  nameOf(file: F): string;
  /** The path as the host has it, for people. */
  pathOf(file: F): string;
  sizeOf(file: F): number;
  /** Milliseconds since 1970. */
  modifiedAt(file: F): number;
}

/** A group of files that was read. */
export interface ReadGroup<F> {
  readonly documents: readonly DocumentInput[];
  /** The files of these documents. */
  readonly read: readonly F[];
  readonly skipped: readonly SkippedFile[];
  /** The names of files that are not there any more or are not text: their documents go. */
  readonly without: readonly string[];
  readonly faults: readonly MetadataFault[];
}

/** Reads files group by group, first to count their chunks and then to add them. */
export class GroupReader<F> {
  readonly groups: readonly (readonly F[])[];
  readonly #source: FileSource<F>;
  readonly #given: Metadata;
  readonly #pauses: Pauses;
  readonly #kept = new Map<readonly F[], ReadGroup<F>>();
  #bytes = 0;

  constructor(files: readonly F[], source: FileSource<F>, given: Metadata, pauses: Pauses) {
    this.groups = groupsOf(files, source);
    this.#source = source;
    this.#given = given;
    this.#pauses = pauses;
  }

  /** Tells the total of chunks that adding all files would write, if anybody listens. */
  async countChunks(library: LibraryParts, force: boolean, progress: Progress): Promise<void> {
    if (!progress.isHeard) return;
    await library.ingest.prepare();
    const breather = new Breather();
    let chunks = 0;
    for (const group of this.groups) {
      const found = await this.#read(group, (path) => progress.reading(path));
      for (const input of readInputs(found.documents)) {
        await this.#pauses.here();
        chunks += await countChunks(library, input.path, input, force, breather);
        progress.reading(input.path);
      }
      this.#keep(group, found);
    }
    progress.expect(chunks);
  }

  /** Returns a group that was kept, or reads it. */
  async take(group: readonly F[]): Promise<ReadGroup<F>> {
    const kept = this.#kept.get(group);
    this.#kept.delete(group);
    return kept ?? (await this.#read(group, () => undefined));
  }

  #keep(group: readonly F[], found: ReadGroup<F>): void {
    const bytes = found.documents.reduce((sum, { text }) => sum + text.length, 0);
    if (this.#bytes + bytes > KEPT_BYTES) return;
    this.#bytes += bytes;
    this.#kept.set(group, found);
  }

  async #read(group: readonly F[], onFile: (path: string) => void): Promise<ReadGroup<F>> {
    const documents: DocumentInput[] = [];
    const read: F[] = [];
    const skipped: SkippedFile[] = [];
    const without: string[] = [];
    const faults: MetadataFault[] = [];
    for (const file of group) {
      await this.#pauses.here();
      const [name, path] = [this.#source.nameOf(file), this.#source.pathOf(file)];
      onFile(name);
      const bytes = await this.#source.read(file).catch((error: Error) => error);
      if (bytes instanceof Error) skipped.push({ path, reason: "unreadable", detail: bytes.message });
      else if (bytes === null) without.push(name);
      else {
        const modifiedAt = this.#source.modifiedAt(file);
        const { input, skipped: left } = await readDocument(name, bytes, modifiedAt, this.#given, faults);
        if (left === null) {
          read.push(file);
          documents.push(input);
        } else {
          without.push(name);
          skipped.push({ ...left, path });
        }
      }
    }
    return { documents, read, skipped, without, faults };
  }
}

function groupsOf<F>(files: readonly F[], source: FileSource<F>): F[][] {
  const all: F[][] = [];
  let group: F[] = [];
  let bytes = 0;
  for (const file of files) {
    group.push(file);
    bytes += source.sizeOf(file);
    if (bytes < GROUP_BYTES) continue;
    all.push(group);
    [group, bytes] = [[], 0];
  }
  if (group.length > 0) all.push(group);
  return all;
}
