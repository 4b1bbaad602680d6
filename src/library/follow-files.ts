import { SelfsameError } from "../errors/selfsame-error.ts";
import { deviceFiles } from "../files/device-files.ts";
import type { AddFilesOptions, AddFilesReport } from "./add-files.ts";

/** Editors write a file in several steps, and several files at once: a scan waits until all has been quiet for so long, */
const QUIET_MS = 150;
/** … but not longer than this: a log that never rests must not hold up the rest. */
const PATIENCE_MS = 2000;
/** One more scan after the last, should the system have told of less than happened. */
const SETTLE_MS = 2000;
/** A scan that failed (a library that is busy, a folder that is away) is tried again. */
const RETRY_MS = 5000;
/** … but the first one only for what passes by itself: a library that cannot be written will not be, later. */
const PASSING = ["DATABASE_BUSY", "INDEX_BUSY"];

/** What `Library.followFiles` tells of: changes are watched and the first scan begins. */
export interface WatchingEvent {
  /** Which event. */
  readonly type: "watching";
}

/** A document has changed. */
export interface DocumentEvent {
  /** Which event. */
  readonly type: "document";
  /** The document. */
  readonly path: string;
  /** What became of it. */
  readonly change: "added" | "updated" | "removed";
}

/** A scan has ended that changed something, or the first one. */
export interface ScannedEvent {
  /** Which event. */
  readonly type: "scanned";
  /** What the scan did. */
  readonly report: AddFilesReport;
  /** How long it took. */
  readonly milliseconds: number;
}

/** A scan has failed, and will be made again. */
export interface FailedEvent {
  /** Which event. */
  readonly type: "failed";
  /** Why. */
  readonly error: SelfsameError;
}

/** What happens while files are followed. */
export type FollowEvent = WatchingEvent | DocumentEvent | ScannedEvent | FailedEvent;

/** How files are followed. */
export interface FollowFilesOptions
  extends Pick<AddFilesOptions, "root" | "include" | "exclude" | "metadata" | "maxBytes" | "onProgress"> {
  /** Ends it: a transaction under way is finished, or undone. */
  readonly signal: AbortSignal;
  /** Called as things happen. */
  readonly onEvent?: (event: FollowEvent) => void;
}

/** A `Library`, as far as following files needs it. */
interface FollowingLibrary {
  readonly name: string;
  addFiles(paths: readonly string[], options: AddFilesOptions): Promise<AddFilesReport>;
}

/**
 * `Library.followFiles`. Whatever changes, all paths are scanned, which costs a stat for each unchanged file and misses
 * nothing: what changes during a scan leads to another one. A first scan that cannot succeed rejects the promise; a later
 * one is made again until it does.
 */
export async function followFiles(
  library: FollowingLibrary,
  paths: readonly string[],
  options: FollowFilesOptions,
): Promise<void> {
  if (deviceFiles === null) {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      "expected a host with files, got a browser",
      "Use add() with the texts",
    );
  }
  const { signal, onEvent, ...rest } = options;
  const root = options.root ?? deviceFiles.folderOf(library.name);
  const changes = new Changes(signal);
  let broken: SelfsameError | null = null;
  const watcher = await deviceFiles.watch(paths, {
    root,
    library: library.name,
    onChange: () => changes.note(),
    onFailure: (error) => {
      broken = error;
      changes.note();
    },
  });
  let hasScanned = false;
  const scan = async (): Promise<boolean> => {
    const started = performance.now();
    try {
      const report = await library.addFiles(paths, {
        ...rest,
        root,
        signal,
        mayBeGone: true,
        onDocument: (path, change) => onEvent?.({ type: "document", path, change }),
      });
      const milliseconds = performance.now() - started;
      if (!hasScanned || report.added + report.updated + report.removed > 0)
        onEvent?.({ type: "scanned", report, milliseconds });
      hasScanned = true;
      return true;
    } catch (error) {
      if (signal.aborted) return true;
      if (!(error instanceof SelfsameError)) throw error;
      // Scans would go on into a file that nobody finds.
      if (error.code === "DATABASE_MOVED") throw error;
      if (!hasScanned && !PASSING.includes(error.code)) throw error;
      onEvent?.({ type: "failed", error });
      return false;
    }
  };
  try {
    onEvent?.({ type: "watching" });
    while (!signal.aborted) {
      changes.begin();
      await watcher.refresh();
      const isDone = await scan();
      if (await changes.next(isDone ? SETTLE_MS : RETRY_MS)) await changes.quiet();
      else if (isDone && (await scan()) && (await changes.next(null))) await changes.quiet();
      if (broken !== null) throw broken;
    }
  } finally {
    await watcher.close();
  }
}

/** Whether something has changed since the last scan began, and waiting for it. */
class Changes {
  readonly #signal: AbortSignal;
  #isNoted = false;
  #wake: () => void = () => undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#wake());
  }

  note(): void {
    this.#isNoted = true;
    this.#wake();
  }

  /** A scan begins: it sees all that was noted so far. */
  begin(): void {
    this.#isNoted = false;
  }

  /** Waits for a change; false if none came in so many milliseconds (null: however long it takes), or at the end. */
  async next(milliseconds: number | null): Promise<boolean> {
    if (!this.#isNoted && !this.#signal.aborted) await this.#sleep(milliseconds);
    return this.#isNoted && !this.#signal.aborted;
  }

  /** Waits until changes pause. */
  async quiet(): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    do {
      this.#isNoted = false;
      await this.#sleep(QUIET_MS);
    } while (this.#isNoted && !this.#signal.aborted && performance.now() < end);
  }

  #sleep(milliseconds: number | null): Promise<void> {
    return new Promise((resolve) => {
      const timer = milliseconds === null ? null : setTimeout(resolve, milliseconds);
      this.#wake = () => {
        if (timer !== null) clearTimeout(timer);
        resolve();
      };
    });
  }
}
