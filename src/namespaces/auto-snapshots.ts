/** When snapshots are made without being asked for. */
export interface SnapshotPolicy {
  /** At least this long after the last one; default 60000 ms. */
  readonly intervalMs?: number;
  /** At least this many chunks written since the last one; default 5000. */
  readonly writes?: number;
}

export const SNAPSHOT_POLICY: Required<SnapshotPolicy> = { intervalMs: 60_000, writes: 5_000 };

/** Makes snapshots, and knows those of earlier processes. */
export interface SnapshotHost {
  readonly make: (name: string) => Promise<void>;
  /** How long ago the current snapshot was made; null if there is none. */
  readonly ageMs: (name: string) => number | null;
}

interface Known {
  /** Chunks written since the last snapshot. */
  writes: number;
  /** When the last one was made, on a clock that never jumps; null if none was. */
  last: number | null;
  running: Promise<void> | null;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Makes a snapshot of a namespace once enough was written to it and enough time has passed since the last one, and one
 * at the end if anything was written since.
 */
export class AutoSnapshots {
  readonly #policy: Required<SnapshotPolicy>;
  readonly #host: SnapshotHost;
  readonly #known = new Map<string, Known>();
  #isStopped = false;

  constructor(policy: SnapshotPolicy, host: SnapshotHost) {
    this.#policy = { ...SNAPSHOT_POLICY, ...policy };
    this.#host = host;
  }

  /** Notes that chunks were written. */
  wrote(name: string, chunks: number): void {
    if (chunks <= 0) return;
    const known = this.#of(name);
    known.writes += chunks;
    this.#consider(name, known);
  }

  /** Notes that a snapshot was made by hand. */
  made(name: string): void {
    Object.assign(this.#of(name), { writes: 0, last: performance.now() });
  }

  /** Forgets a namespace that was dropped. */
  forget(name: string): void {
    clearTimeout(this.#known.get(name)?.timer);
    this.#known.delete(name);
  }

  /** Makes those that are due because the process ends. */
  async finish(): Promise<void> {
    this.#isStopped = true;
    for (const [name, known] of this.#known) {
      clearTimeout(known.timer);
      await known.running;
      if (known.writes > 0) await this.#run(name, known);
    }
  }

  #consider(name: string, known: Known): void {
    const { intervalMs, writes } = this.#policy;
    const isWaiting = known.running !== null || known.timer !== undefined;
    if (this.#isStopped || isWaiting || known.writes < writes) return;
    const left = known.last === null ? 0 : known.last + intervalMs - performance.now();
    if (left <= 0) void this.#run(name, known);
    else {
      known.timer = setTimeout(() => {
        known.timer = undefined;
        this.#consider(name, known);
      }, left);
      (known.timer as { unref?: () => void }).unref?.();
    }
  }

  #run(name: string, known: Known): Promise<void> {
    const { writes } = known;
    known.running = this.#host
      .make(name)
      .then(() => {
        known.writes -= writes;
      })
      .catch(() => undefined) // the owner reports it; the writes stay, so that the next one is due
      .finally(() => {
        known.last = performance.now();
        known.running = null;
        this.#consider(name, known);
      });
    return known.running;
  }

  #of(name: string): Known {
    let known = this.#known.get(name);
    if (known === undefined) {
      const age = this.#host.ageMs(name);
      const last = age === null ? null : performance.now() - age;
      known = { writes: 0, last, running: null, timer: undefined };
      this.#known.set(name, known);
    }
    return known;
  }
}
