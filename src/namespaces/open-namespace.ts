import type { Connection, Resource } from "./connection.ts";

/** Closes what reader threads hold of a namespace. */
export interface HeldElsewhere {
  close(name: string): Promise<void>;
}

/** An open namespace: the connection of this thread, and those of the reader threads. */
export class OpenNamespace implements Resource {
  readonly name: string;
  readonly connection: Connection;
  readonly #readers: HeldElsewhere | null;
  #counted: { readonly ingest: object; readonly writes: number } | null = null;

  constructor(name: string, connection: Connection, readers: HeldElsewhere | null) {
    this.name = name;
    this.connection = connection;
    this.#readers = readers;
  }

  /** Returns how many chunks this thread has written since it was last asked. */
  async newWrites(): Promise<number> {
    const open = await this.connection.peek();
    if (open === null) return 0;
    const { ingest } = open.parts;
    const before = this.#counted?.ingest === ingest ? this.#counted.writes : 0;
    this.#counted = { ingest, writes: ingest.writes };
    return ingest.writes - before;
  }

  async close(): Promise<void> {
    await Promise.all([this.connection.close(), this.#readers?.close(this.name)]);
  }
}
