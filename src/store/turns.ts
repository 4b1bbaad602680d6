/** Files that one connection at a time can hold. */
export interface SharedFiles {
  /** Takes them from whoever has them. */
  take(): Promise<void>;
  /** Returns when everything committed will be found again, where a commit alone does not see to that. */
  settle(): Promise<void>;
  /** Gives them back, for whoever waits. */
  give(): void;
}

/** A connection that rests gives the files back: the page of a suspended tab can no longer be asked for them. */
const REST_MS = 1000;

/**
 * When a connection may touch its files. Work takes a turn; the files stay here between turns, which costs nothing,
 * until another connection wants them. Several pieces of work share a turn. No transaction is open whenever the event
 * loop turns (`Database.transaction` is synchronous), so that between two of its turns the files can always be given away.
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

  /** Runs work that touches the files; what it has committed is there to stay when this returns. */
  async use<T>(work: () => T | Promise<T>): Promise<T> {
    await this.#enter(false);
    try {
      return await work();
    } finally {
      await this.#leave();
    }
  }

  /** Within such work: runs a part that does not touch the files. */
  async idle<T>(work: () => Promise<T>): Promise<T> {
    try {
      await this.#leave();
      return await work();
    } finally {
      await this.#enter(true);
    }
  }

  /** Within such work: returns when what it has committed so far is there to stay. */
  async settled(): Promise<void> {
    if (this.#isHeld) await this.#files.settle();
  }

  /** Another connection wants the files. Work that is under way goes on; new work comes after that connection's. */
  wanted(): void {
    if (this.#isHeld && this.#working === 0) this.#give();
    else this.#isWanted = this.#isHeld;
  }

  /** Gives the files back for good, as soon as no work is under way. */
  close(): void {
    this.#isClosed = true;
    if (this.#isHeld && this.#working === 0) this.#give();
  }

  /**
   * Work that resumes gets in wherever the files are held: what holds them may be waiting for it. Only new work gives
   * way to other connections.
   */
  async #enter(isResuming: boolean): Promise<void> {
    clearTimeout(this.#rest);
    try {
      while (!this.#isHeld || (this.#isWanted && !isResuming)) {
        if (!this.#isHeld) this.#taking ??= this.#take();
        await (this.#taking ?? this.#untilGiven());
      }
    } catch (error) {
      // The work around it leaves, whether it got in again or not.
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
