import type { AddReport, DocumentInfo, DocumentInput, LibraryStats, ProgressEvent } from "selfsame/browser";
import { type BrowserLibrary, type GivenFile, type ModelProgress, open } from "selfsame/browser";
import { count } from "./count.ts";
import { Value } from "./value.ts";

/** The library's name in this browser. */
const NAME = "selfsame";

/** Each holds the model, in 50 MB or so; and one core is the page's own. */
const WORKERS_MAX = 4;

/** A thread that ended says so at once, a sound one closes in far less; one that hangs is not waited for. */
const CLOSE_MS_MAX = 5000;

/** How far the page is with its library. */
export type Phase =
  | { readonly kind: "opening" }
  | { readonly kind: "ready"; readonly library: BrowserLibrary }
  | { readonly kind: "failed"; readonly error: unknown };

/** Documents that are being added. */
export interface Work {
  readonly progress: ProgressEvent | null;
  cancel(): void;
}

interface WorkOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (event: ProgressEvent) => void;
}

type Report = AddReport & {
  readonly skipped?: readonly { readonly path: string; readonly reason: string }[];
};

/** Documents to add, what to say of it, and whom to tell whether they were. */
interface Job {
  /** Null if there was a reason not to. */
  readonly run: (library: BrowserLibrary, options: WorkOptions) => Promise<Report | null>;
  readonly say: (report: Report) => Notice;
  readonly end: (isAdded: boolean) => void;
}

/** What was done, in a sentence. What was not done is a warning, which stays until the person has seen it. */
export interface Notice {
  readonly text: string;
  readonly isWarning: boolean;
}

/** The one library of this page, and what the views show of it. */
export class Session {
  readonly phase = new Value<Phase>({ kind: "opening" });
  /** The model's file that is being downloaded. */
  readonly download = new Value<ModelProgress | null>(null);
  readonly stats = new Value<LibraryStats | null>(null);
  readonly documents = new Value<readonly DocumentInfo[]>([]);
  readonly work = new Value<Work | null>(null);
  /** What went wrong, until the person has seen it. */
  readonly failure = new Value<unknown>(null);
  readonly notice = new Value<Notice | null>(null);
  /** What came while other documents were being added, or while no library was open. */
  readonly #waiting: Job[] = [];
  /** The end of the library before. */
  #closing: Promise<unknown> = Promise.resolve();

  get library(): BrowserLibrary | null {
    return this.phase.current.kind === "ready" ? this.phase.current.library : null;
  }

  /** @param isKept false for a library that is gone when the page is left */
  async start(isKept = true): Promise<void> {
    this.phase.set({ kind: "opening" });
    this.failure.set(null);
    this.stats.set(null);
    try {
      await this.#closing;
      const library = await open(isKept ? NAME : ":memory:", {
        workers: Math.min(Math.max(navigator.hardwareConcurrency - 1, 1), WORKERS_MAX),
        onProgress: (event) => this.download.set(event.bytes < event.bytesTotal ? event : null),
      });
      this.phase.set({ kind: "ready", library });
      await this.refresh();
    } catch (error) {
      this.download.set(null);
      this.phase.set({ kind: "failed", error });
    }
    await this.#workOff();
  }

  /** Adds after what is being added now. Resolves with whether all was; if not, the person has been told why. */
  add(documents: readonly DocumentInput[]): Promise<boolean> {
    return this.#enqueue((library, options) => library.add(documents, options));
  }

  /**
   * Adds a note, which takes another document's place only if the person said so: one of that name may have come while this
   * one waited its turn.
   */
  async addNote(note: DocumentInput, mayReplace: boolean): Promise<boolean> {
    let isTaken = false;
    const isAdded = await this.#enqueue(
      async (library, options) => {
        isTaken = !mayReplace && (await library.chunks(note.path)).length > 0;
        return isTaken ? null : library.add([note], options);
      },
      (report) => noteSummary(note.path, report),
    );
    const reason = isTaken ? `Meanwhile another ${note.path} came: the` : "The";
    if (!isAdded) this.warn(`${reason} note was not added. Press “Note”: its text is still there.`);
    return isAdded;
  }

  /** Whether there is a document of this name. Throws what the library says of a name that it cannot take. */
  async holds(path: string): Promise<boolean> {
    const chunks = await this.use((library) => library.chunks(path));
    return chunks !== null && chunks.length > 0;
  }

  addFiles(files: readonly (File | GivenFile)[]): Promise<boolean> {
    return this.#enqueue((library, options) => library.addFiles(files, options));
  }

  async remove(paths: readonly string[]): Promise<void> {
    await this.attempt(async (library) => {
      const { removed } = await library.remove(paths);
      this.tell(`${count(removed, "document")} removed.`);
      await this.refresh();
    });
  }

  /** Reads again what the views show: after a write, or when another tab may have written. */
  async refresh(): Promise<void> {
    await this.attempt(async (library) => {
      const stats = await library.stats();
      const { root, metadataRoot } = this.stats.current ?? {};
      if (stats.root === root && stats.metadataRoot === metadataRoot) return;
      this.documents.set(await library.documents());
      this.stats.set(stats);
    });
  }

  tell(text: string): void {
    this.notice.set({ text, isWarning: false });
  }

  warn(text: string): void {
    this.notice.set({ text, isWarning: true });
  }

  /** Does something with the library; what goes wrong is shown. */
  async attempt<T>(work: (library: BrowserLibrary) => Promise<T>): Promise<T | null> {
    try {
      return await this.use(work);
    } catch (error) {
      this.download.set(null);
      this.failure.set(error);
      return null;
    }
  }

  /**
   * Does something with the library, and throws what goes wrong. Null if none is open, or if this was its end: then the
   * person is offered to open it again.
   */
  async use<T>(work: (library: BrowserLibrary) => Promise<T>): Promise<T | null> {
    const { library } = this;
    if (library === null) return null;
    try {
      return await work(library);
    } catch (error) {
      // What fails after the end, fails by it.
      if (this.library !== library) return null;
      if ((error as { code?: unknown } | null)?.code !== "WORKER_FAILED") throw error;
      this.#end(library, error);
      return null;
    }
  }

  /** It may be a thread of the library's Worker that was lost, and that one lives: two would be on the same files. */
  #end(library: BrowserLibrary, error: unknown): void {
    this.download.set(null);
    this.phase.set({ kind: "failed", error });
    // A Worker closes after what it writes.
    this.work.current?.cancel();
    const bound = new Promise((resolve) => setTimeout(resolve, CLOSE_MS_MAX));
    this.#closing = Promise.race([library.close().catch(() => undefined), bound]);
  }

  #enqueue(run: Job["run"], say: Job["say"] = summary): Promise<boolean> {
    this.failure.set(null);
    if (this.work.current !== null) this.tell("Still indexing: this comes next.");
    else if (this.library === null) this.tell("This is added as soon as the library is open.");
    else this.notice.set(null);
    return new Promise((end) => {
      this.#waiting.push({ run, say, end });
      void this.#workOff();
    });
  }

  async #workOff(): Promise<void> {
    while (this.work.current === null && this.library !== null) {
      const job = this.#waiting.shift();
      if (job === undefined) return;
      job.end(await this.#work(job));
    }
  }

  /** Adds, with progress and a way to stop; what is written when the person stops it stays. Returns whether all is. */
  async #work({ run, say }: Job): Promise<boolean> {
    const stop = new AbortController();
    const cancel = () => stop.abort();
    this.work.set({ progress: null, cancel });
    const report = await this.attempt(async (library) => {
      const options = {
        signal: stop.signal,
        onProgress: (progress: ProgressEvent) => this.work.set({ progress, cancel }),
      };
      return run(library, options).catch((error) => {
        if (!stop.signal.aborted) throw error;
        this.warn("Stopped. What was written so far stays.");
        return null;
      });
    });
    if (report !== null) this.notice.set(say(report));
    this.work.set(null);
    await this.refresh();
    return report !== null;
  }
}

function summary({ added, updated, unchanged, chunks, skipped = [] }: Report): Notice {
  const names = skipped.slice(0, 3).map(({ path, reason }) => `${path}: ${reason}`);
  const parts = [
    added > 0 ? `${count(added, "document")} added` : "",
    updated > 0 ? `${count(updated, "document")} updated` : "",
    unchanged > 0 ? `${count(unchanged, "document")} unchanged` : "",
    chunks > 0 ? `${count(chunks, "chunk")} written` : "",
    skipped.length > 0
      ? `${count(skipped.length, "file")} skipped (${names.join(", ")}${skipped.length > 3 ? ", …" : ""})`
      : "",
  ].filter((part) => part !== "");
  return {
    text: parts.length === 0 ? "There was nothing to add." : `${parts.join(", ")}.`,
    isWarning: parts.length === 0 || skipped.length > 0,
  };
}

function noteSummary(path: string, { added, updated, chunks }: Report): Notice {
  const done = added > 0 ? "added" : updated > 0 ? "replaced" : "was the same already";
  return {
    text: `${path} ${done}${chunks > 0 ? `, ${count(chunks, "chunk")} written` : ""}.`,
    isWarning: false,
  };
}
