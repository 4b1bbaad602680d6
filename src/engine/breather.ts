/** After so long in one thread, whoever waits for it (a signal, a key, a page's message) gets a turn. */
const STRETCH_MS = 50;

/** Lets long work in one thread give way now and then, so that it can be stopped and does not hold up the rest. */
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

  /** Runs work that is cut into steps, with pauses between them. */
  async run<T>(steps: Generator<unknown, T>): Promise<T> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await this.due();
    }
  }
}

/** Runs work that is cut into steps without a pause. */
export function runAtOnce<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** A channel as every host has it; the types of Node leave `onmessage` out. */
interface Ports {
  readonly port1: { onmessage: (() => void) | null; close(): void };
  readonly port2: { postMessage(message: null): void };
}

/** One turn of the host's event loop. By a message: browsers make a timer that follows timers wait for 4 ms. */
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
