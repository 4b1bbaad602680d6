/**
 * A pipeline is written once and runs on any ground: on one library, which answers at once, or on many shards, which
 * answer later. It asks the ground by `yield`; whoever runs it fetches the answers. So nothing that ranks is written twice.
 * SPEC §29.1
 */

/** The methods of a ground that a pipeline may call, each as [name, arguments…]. */
export type Question<G> = {
  [M in keyof G]: G[M] extends (...given: infer A) => unknown ? readonly [M, ...A] : never;
}[keyof G];

/** A computation that asks a ground of type G and returns T. */
export type Pipeline<G, T> = Generator<Question<G>, T, unknown>;

/** The same ground where every answer must be waited for. */
export type Distant<G> = {
  readonly [M in keyof G]: G[M] extends (...given: infer A) => infer R ? (...given: A) => Promise<R> : never;
};

type Method<G, M extends keyof G> = Extract<G[M], (...given: never[]) => unknown>;

/** Returns the function with which pipelines ask a ground: `yield* ask("method", …)`. */
export function asking<G>() {
  return function* ask<M extends keyof G>(
    method: M,
    ...given: Parameters<Method<G, M>>
  ): Pipeline<G, ReturnType<Method<G, M>>> {
    return (yield [method, ...given] as unknown as Question<G>) as ReturnType<Method<G, M>>;
  };
}

/** Runs a pipeline on a ground that answers at once. */
export function runOn<G extends object, T>(ground: G, pipeline: Pipeline<G, T>): T {
  let step = pipeline.next();
  while (step.done !== true) step = pipeline.next(answerOf(ground, step.value));
  return step.value;
}

/** Runs a pipeline on a ground that answers later. */
export async function runFar<G extends object, T>(ground: Distant<G>, pipeline: Pipeline<G, T>): Promise<T> {
  let step = pipeline.next();
  while (step.done !== true) step = pipeline.next(await answerOf(ground, step.value));
  return step.value;
}

function answerOf<G extends object>(ground: G | Distant<G>, [method, ...given]: Question<G>): unknown {
  return (ground as Record<keyof G, (...given: unknown[]) => unknown>)[method](...given);
}
