/** Files that only one connection at a time can hold. */
export interface SharedFiles {
  /** Takes the files from the connection that has them. */
  take(): Promise<void>;
  /** Returns once everything committed is durable, where a commit alone does not ensure that. */
  settle(): Promise<void>;
  /** Releases the files for connections that wait. */
  give(): void;
}

/** An idle connection releases the files: the page of a suspended tab can no longer be asked for them. */
const REST_MS = 1000;

/**
 * Decides when a connection may touch its files. Work takes a turn. The files stay here between turns, which costs
 * nothing, until another connection wants them. Several pieces of work share a turn. No transaction is open whenever
 * the event loop turns (`Database.transaction` is synchronous), so the files can always be released between two of its
 * turns.
 */
export class Turns {
  readonly #files: SharedFiles;
  #isHeld = false;
  #isWanted = false;
  #isClosed = false;
  #working = 0;
  #taking: Promise<void> | null = null;
  #given: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(files: SharedFiles) {
    this.#files = files;
  }

  /** Runs work that touches the files. What it has committed is durable when this returns. */
  async use<T>(work: () => T | Promise<T>): Promise<T> {
    await this.#enter(false);
    try {
      return await work();
    } finally {
      await this.#leave();
    }
  }

  /** Within such work, runs a part that does not touch the files. */
  async idle<T>(work: () => Promise<T>): Promise<T> {
    try {
      await this.#leave();
      return await work();
    } finally {
      await this.#enter(true);
    }
  }

  /** Within such work, returns once what it has committed so far is durable. */
  async settled(): Promise<void> {
    if (this.#isHeld) await this.#files.settle();
  }

  /**
   * Called when another connection wants the files. Work in progress continues; new work waits for that connection's.
   */
  wanted(): void {
    if (this.#isHeld && this.#working === 0) this.#give();
    else this.#isWanted = this.#isHeld;
  }

  /** Releases the files permanently, as soon as no work is in progress. */
  close(): void {
    this.#isClosed = true;
    if (this.#isHeld && this.#working === 0) this.#give();
  }

  /**
   * Work that resumes is admitted whenever the files are held: the work that holds them may be waiting for it. Only new
   * work gives way to other connections.
   */
  async #enter(isResuming: boolean): Promise<void> {
    clearTimeout(this.#rest);
    try {
      while (!this.#isHeld || (this.#isWanted && !isResuming)) {
        if (!this.#isHeld) this.#taking ??= this.#take();
        await (this.#taking ?? this.#untilGiven());
      }
    } catch (error) {
      // The surrounding work will leave in any case, whether it was admitted again or not.
      if (isResuming) this.#working++;
      throw error;
    }
    this.#working++;
  }

  async #leave(): Promise<void> {
    try {
      await this.settled();
    } finally {
      this.#working--;
      if (this.#isHeld && this.#working === 0) {
        if (this.#isWanted || this.#isClosed) this.#give();
        else this.#rest = setTimeout(() => this.wanted(), REST_MS);
      }
    }
  }

  async #take(): Promise<void> {
    try {
      await this.#files.take();
      this.#isHeld = true;
      this.#isWanted = false;
    } finally {
      this.#taking = null;
    }
  }

  #give(): void {
    clearTimeout(this.#rest);
    this.#isHeld = false;
    this.#isWanted = false;
    this.#files.give();
    this.#given?.resolve();
    this.#given = null;
  }

  #untilGiven(): Promise<void> {
    if (this.#given === null) {
      let resolve!: () => void;
      const promise = new Promise<void>((done) => {
        resolve = done;
      });
      this.#given = { promise, resolve };
    }
    return this.#given.promise;
  }
}
