/** After this long, a thread yields to whatever waits for it (a signal, a key, a page's message). */
const STRETCH_MS = 50;

/** Lets long work in one thread yield now and then, so that it can be stopped and does not block the rest. */
export class Breather {
  readonly #check: () => void;
  #last = performance.now();

  /** @param check called after each pause; it may throw, for example because the work was stopped meanwhile */
  constructor(check: () => void = () => undefined) {
    this.#check = check;
  }

  /** Pauses, if it is time to. */
  async due(): Promise<void> {
    if (performance.now() - this.#last < STRETCH_MS) return;
    await breathe();
    this.#last = performance.now();
    this.#check();
  }

  /** Runs work that is split into steps, with pauses between them. */
  async run<T>(steps: Generator<unknown, T>): Promise<T> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await this.due();
    }
  }
}

/** Runs work that is split into steps, without pauses. */
export function runAtOnce<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** A message channel as every host has it; Node's types leave out `onmessage`. */
interface Ports {
  readonly port1: { onmessage: (() => void) | null; close(): void };
  readonly port2: { postMessage(message: null): void };
}

/** Waits for one turn of the host's event loop. Uses a message, because browsers delay nested timers by 4 ms. */
export function breathe(): Promise<void> {
  return new Promise((resume) => {
    const { port1, port2 } = new MessageChannel() as unknown as Ports;
    port1.onmessage = () => {
      port1.close();
      resume();
    };
    port2.postMessage(null);
  });
}
