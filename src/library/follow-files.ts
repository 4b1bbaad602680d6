import { SelfsameError } from "../errors/selfsame-error.ts";
import { deviceFiles } from "../files/device-files.ts";
import type { AddFilesOptions, AddFilesReport } from "./add-files.ts";

/**
 * Editors write a file in several steps, and several files at once. So a scan waits until nothing has changed for this
 * long,
 */
const QUIET_MS = 150;
/** … but no longer than this: a log that is written without pause must not delay everything else. */
const PATIENCE_MS = 2000;
/** One more scan follows the last one after this time, in case the system reported less than happened. */
const SETTLE_MS = 2000;
/** A scan that failed (the library is busy, a folder is missing) is tried again after this time. */
const RETRY_MS = 5000;
/**
 * … but the first scan only for errors that pass by themselves: a library that cannot be written now cannot be later.
 */
const PASSING = ["DATABASE_BUSY", "INDEX_BUSY"];

/** An event of `Library.followFiles`: changes are being watched, and the first scan starts. */
export interface WatchingEvent {
  /** The type of event. */
  readonly type: "watching";
}

/** A document has changed. */
export interface DocumentEvent {
  /** The type of event. */
  readonly type: "document";
  /** The document. */
  readonly path: string;
  /** What happened to it. */
  readonly change: "added" | "updated" | "removed";
}

/** A scan has ended that changed something, or the first scan has ended. */
export interface ScannedEvent {
  /** The type of event. */
  readonly type: "scanned";
  /** What the scan did. */
  readonly report: AddFilesReport;
  /** How long it took. */
  readonly milliseconds: number;
}

/** A scan has failed and will be tried again. */
export interface FailedEvent {
  /** The type of event. */
  readonly type: "failed";
  /** The reason. */
  readonly error: SelfsameError;
}

/** An event while files are followed. */
export type FollowEvent = WatchingEvent | DocumentEvent | ScannedEvent | FailedEvent;

/** Options for following files. */
export interface FollowFilesOptions
  extends Pick<
    AddFilesOptions,
    "root" | "within" | "include" | "exclude" | "metadata" | "maxBytes" | "onProgress"
  > {
  /** Stops following: a transaction in progress is finished, or rolled back. */
  readonly signal: AbortSignal;
  /** Called for each event. */
  readonly onEvent?: (event: FollowEvent) => void;
}

/** The part of a `Library` that following files needs. */
interface FollowingLibrary {
  readonly name: string;
  addFiles(paths: readonly string[], options: AddFilesOptions): Promise<AddFilesReport>;
}

/**
 * Implements `Library.followFiles`. After any change, all paths are scanned. That costs one stat per unchanged file and
 * misses nothing: a change during a scan leads to another scan. If the first scan cannot succeed, the promise rejects;
 * a later scan is repeated until it succeeds.
 */
export async function followFiles(
  library: FollowingLibrary,
  paths: readonly string[],
  options: FollowFilesOptions,
): Promise<void> {
  if (deviceFiles === null) {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      "expected a host with a file system, got a browser",
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
      // Further scans would write to a file that nobody can find.
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

/** Records whether something has changed since the last scan started, and waits for changes. */
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

  /** Starts a scan, which sees every change noted so far. */
  begin(): void {
    this.#isNoted = false;
  }

  /** Waits for a change. Returns false if none came within this many milliseconds (null: no limit), or if stopped. */
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
