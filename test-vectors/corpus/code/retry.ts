// Retries an operation with exponential backoff and full jitter.

const BASE_DELAY_MS = 250;
const MAX_DELAY_MS = 30_000;

export async function retryWithBackoff<T>(operation: () => Promise<T>, attempts: number, draw: () => number): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await operation();
    } catch (cause) {
      if (attempt + 1 >= attempts || !isTransient(cause)) throw cause;
      const ceiling = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** attempt);
      await new Promise((resolve) => setTimeout(resolve, draw() * ceiling));
    }
  }
}

// Only these are worth another attempt: a refused password does not become right by asking again.
function isTransient(cause: unknown): boolean {
  const code = (cause as { code?: string }).code;
  return code === "ECONNRESET" || code === "ETIMEDOUT" || code === "EAI_AGAIN";
}

export class CircuitBreaker {
  private failures = 0;
  private openedAt = 0;

  constructor(
    private readonly threshold: number,
    private readonly coolDownMs: number,
  ) {}

  allows(now: number): boolean {
    return this.failures < this.threshold || now - this.openedAt >= this.coolDownMs;
  }

  record(succeeded: boolean, now: number): void {
    this.failures = succeeded ? 0 : this.failures + 1;
    if (this.failures === this.threshold) this.openedAt = now;
  }
}
