import { type DestinationStream, type Logger, pino } from "pino";

/** What is logged, and where. */
export interface LogOptions {
  /** Whether the text of queries is logged; default true. */
  readonly queries?: boolean;
  /** Where lines go; default standard output. */
  readonly destination?: DestinationStream;
}

/** Writes one line of JSON per event, with contract 5's fields. */
export class Log {
  readonly #logger: Logger;
  readonly #queries: boolean;

  constructor({ queries = true, destination = pino.destination({ dest: 1, sync: true }) }: LogOptions = {}) {
    this.#queries = queries;
    this.#logger = pino(
      {
        base: null,
        messageKey: "message",
        timestamp: () => `,"timestamp":"${new Date().toISOString()}"`,
        formatters: { level: (label) => ({ level: label.toUpperCase() }) },
      },
      destination,
    );
  }

  /** An event with its facts. `query` is left out if queries are not logged. */
  event(event: string, { query, ...facts }: Readonly<Record<string, unknown>>): void {
    this.#logger.info({ event, ...facts, ...(this.#queries && query !== undefined ? { query } : {}) });
  }

  warning(event: string, message: string, facts: Readonly<Record<string, unknown>> = {}): void {
    this.#logger.warn({ event, ...facts }, message);
  }

  error(event: string, message: string, facts: Readonly<Record<string, unknown>> = {}): void {
    this.#logger.error({ event, ...facts }, message);
  }
}
