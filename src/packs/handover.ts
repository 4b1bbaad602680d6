/**
 * Returns what `produce` hands over, one by one: each piece is held until the consumer asks for the next one. If the
 * consumer stops, handing over the next piece throws inside `produce`, which then ends.
 */
export async function* handedOver<T>(
  produce: (hand: (piece: T) => Promise<void>) => Promise<unknown>,
): AsyncGenerator<T, void> {
  let offer: (piece: { readonly value: T } | null) => void;
  let wanted = new Promise<{ readonly value: T } | null>((resolve) => {
    offer = resolve;
  });
  let release: (isStopped: boolean) => void = () => undefined;
  let isStopped = false;
  const hand = async (value: T) => {
    const taken = new Promise<boolean>((resolve) => {
      release = resolve;
    });
    offer({ value });
    if (isStopped || (await taken)) throw new Stopped();
  };
  const producing = Promise.resolve()
    .then(() => produce(hand))
    .finally(() => offer(null));
  producing.catch(() => undefined); // told by the await below
  try {
    for (let piece = await wanted; piece !== null; piece = await wanted) {
      yield piece.value;
      wanted = new Promise((resolve) => {
        offer = resolve;
      });
      release(false);
    }
  } finally {
    isStopped = true;
    release(true);
    await producing.catch((error) => {
      if (!(error instanceof Stopped)) throw error;
    });
  }
}

/** Ends a producer that nobody listens to any more. */
class Stopped extends Error {}
