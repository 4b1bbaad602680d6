/** Runs work on up to `most` items at a time and yields the results in the order of the items. */
export async function* inOrder<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  most: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  try {
    for await (const item of items) {
      running.push(work(item));
      // A failure is reported in its turn, not as an unhandled rejection before.
      running.at(-1)!.catch(() => undefined);
      if (running.length === most) yield await running.shift()!;
    }
    while (running.length > 0) yield await running.shift()!;
  } finally {
    await Promise.allSettled(running);
  }
}
