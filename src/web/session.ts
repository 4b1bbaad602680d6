import type { AddReport, DocumentInfo, DocumentInput, LibraryStats, ProgressEvent } from "selfsame/browser";
import { type BrowserLibrary, type GivenFile, type ModelProgress, open } from "selfsame/browser";
import { count } from "./count.ts";
import type { PageLibrary } from "./page-library.ts";
import { type Served, ServedLibrary, servedLibrary } from "./served-library.ts";
import { Value } from "./value.ts";

/** The library's name in this browser. */
const NAME = "selfsame";

/** The maximum number of threads. Each holds the model, about 50 MB. One core is left for the page. */
const WORKERS_MAX = 4;

/**
 * How long to wait for a library to close. A thread that has ended reports that at once, and a working one closes much
 * faster. One that hangs is not waited for.
 */
const CLOSE_MS_MAX = 5000;

/** The state of the page's library. */
export type Phase =
  | { readonly kind: "opening" }
  | { readonly kind: "ready"; readonly library: PageLibrary }
  | { readonly kind: "failed"; readonly error: unknown };

/** Where the library is: at the server, or in this browser. */
export type Source = "served" | "browser";

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

/** Documents to add, the message afterwards, and a callback that learns whether they were added. */
interface Job {
  /** Resolves with null if there was a reason not to add them. */
  readonly run: (library: PageLibrary, options: WorkOptions) => Promise<Report | null>;
  readonly say: (report: Report) => Notice;
  readonly end: (isAdded: boolean) => void;
}

/** What was done, in a sentence. What was not done is a warning, which stays until the user has seen it. */
export interface Notice {
  readonly text: string;
  readonly isWarning: boolean;
}

/** The page's only library, and what the views show of it. */
export class Session {
  readonly phase = new Value<Phase>({ kind: "opening" });
  /** The server's library; null without one. */
  readonly served = new Value<Served | null>(null);
  readonly source = new Value<Source>("browser");
  /** In a sentence, how the open library is kept. */
  kept = "";
  /** The file of the model that is being downloaded. */
  readonly download = new Value<ModelProgress | null>(null);
  readonly stats = new Value<LibraryStats | null>(null);
  readonly documents = new Value<readonly DocumentInfo[]>([]);
  readonly work = new Value<Work | null>(null);
  /** What went wrong, until the user has seen it. */
  readonly failure = new Value<unknown>(null);
  readonly notice = new Value<Notice | null>(null);
  /** Jobs that arrived while other documents were being added, or while no library was open. */
  readonly #waiting: Job[] = [];
  /** Resolves when the previous library has closed. */
  #closing: Promise<unknown> = Promise.resolve();

  get library(): PageLibrary | null {
    return this.phase.current.kind === "ready" ? this.phase.current.library : null;
  }

  /** Whether documents may be added and removed. */
  get isWritable(): boolean {
    return this.source.current === "browser" || this.served.current?.isWritable === true;
  }

  /** Looks for a library at the server, and opens it; or else this browser's. */
  async begin(): Promise<void> {
    const served = await servedLibrary();
    this.served.set(served);
    this.source.set(served === null ? "browser" : "served");
    await this.start();
  }

  /** Closes the library and opens the other one, unless documents are being added. */
  async switchTo(source: Source): Promise<void> {
    if (source === this.source.current || this.phase.current.kind === "opening") return;
    if (this.work.current !== null) return this.warn("Still indexing: wait, or stop it first.");
    const { library } = this;
    this.notice.set(null);
    this.source.set(source);
    this.phase.set({ kind: "opening" });
    this.documents.set([]);
    if (library !== null) this.#closing = bounded(library.close());
    await this.start();
  }

  /** @param isKept false for a library that is gone when the user leaves the page */
  async start(isKept = true): Promise<void> {
    this.phase.set({ kind: "opening" });
    this.failure.set(null);
    this.stats.set(null);
    try {
      await this.#closing;
      const library = await this.#open(isKept);
      this.phase.set({ kind: "ready", library });
      await this.refresh();
    } catch (error) {
      this.download.set(null);
      this.phase.set({ kind: "failed", error });
    }
    await this.#workOff();
  }

  async #open(isKept: boolean): Promise<PageLibrary> {
    const served = this.source.current === "served" ? this.served.current : null;
    if (served !== null) {
      this.kept = `Kept in ${served.file}${served.isWritable ? "." : ", which is only read here."}`;
      return new ServedLibrary(served);
    }
    const library = await open(isKept ? NAME : ":memory:", {
      workers: Math.min(Math.max(navigator.hardwareConcurrency - 1, 1), WORKERS_MAX),
      onProgress: (event) => this.download.set(event.bytes < event.bytesTotal ? event : null),
    });
    this.kept = keptWhere(library.storage);
    return library;
  }

  /**
   * Adds documents after those being added now. Resolves with whether all were added; if not, the user has been told
   * why.
   */
  add(documents: readonly DocumentInput[]): Promise<boolean> {
    return this.#enqueue((library, options) => library.add(documents, options));
  }

  /**
   * Adds a note. It replaces another document only if the user agreed, because one of that name may have been added
   * while this one waited.
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
    const reason = isTaken ? `Another ${note.path} was added in the meantime: the` : "The";
    if (!isAdded) this.warn(`${reason} note was not added. Press “Note”: its text is still there.`);
    return isAdded;
  }

  /** Returns whether there is a document of this name. Throws the library's error for an invalid name. */
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

  /** Reloads what the views show: after a write, or when another tab may have written. */
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

  /** Does something with the library and shows any error. */
  async attempt<T>(work: (library: PageLibrary) => Promise<T>): Promise<T | null> {
    try {
      return await this.use(work);
    } catch (error) {
      this.download.set(null);
      this.failure.set(error);
      return null;
    }
  }

  /**
   * Does something with the library and throws any error. Returns null if none is open, or if the library ended during
   * this work: then the user is offered to open it again.
   */
  async use<T>(work: (library: PageLibrary) => Promise<T>): Promise<T | null> {
    const { library } = this;
    if (library === null) return null;
    try {
      return await work(library);
    } catch (error) {
      // After the library has ended, every failure is a consequence of that.
      if (this.library !== library) return null;
      if ((error as { code?: unknown } | null)?.code !== "WORKER_FAILED") throw error;
      this.#end(library, error);
      return null;
    }
  }

  /**
   * Closes a library that failed. If only a thread of its Worker was lost, the Worker is still alive; without closing
   * it, two Workers would use the same files.
   */
  #end(library: PageLibrary, error: unknown): void {
    this.download.set(null);
    this.phase.set({ kind: "failed", error });
    // A Worker closes only after it has finished writing.
    this.work.current?.cancel();
    this.#closing = bounded(library.close());
  }

  #enqueue(run: Job["run"], say: Job["say"] = summary): Promise<boolean> {
    this.failure.set(null);
    if (!this.isWritable) {
      this.warn(
        "This library is only read here: nothing was added. Start selfsame web with --writable, or choose this browser’s.",
      );
      return Promise.resolve(false);
    }
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

  /**
   * Adds documents, with progress and a way to stop. What is written when the user stops it stays. Returns whether all
   * were added.
   */
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
        this.warn("Stopped. Finished work is kept.");
        return null;
      });
    });
    if (report !== null) this.notice.set(say(report));
    this.work.set(null);
    await this.refresh();
    return report !== null;
  }
}

/** Waits for a library to close, but not forever. */
function bounded(closing: Promise<unknown>): Promise<unknown> {
  const bound = new Promise((resolve) => setTimeout(resolve, CLOSE_MS_MAX));
  return Promise.race([closing.catch(() => undefined), bound]);
}

function keptWhere({ kind, reason }: BrowserLibrary["storage"]): string {
  if (kind === "memory") return "Not kept: it is gone when you leave this page.";
  return kind === "opfs" ? "Kept in this browser." : `Kept in this browser’s IndexedDB, since ${reason}.`;
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
