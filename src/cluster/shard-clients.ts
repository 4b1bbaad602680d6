import { fromHex } from "../engine/digest.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { isBelow } from "../vectors/prefix.ts";
import type { Shard, WholeFacts } from "./shard.ts";
import { type Answer, decodeAnswer, encodeRequest, type Given, type QuestionName } from "./wire.ts";

/** Asks one shard. */
export class ShardClient {
  readonly prefix: string;
  readonly #shard: Shard;

  constructor(shard: Shard) {
    this.prefix = shard.prefix;
    this.#shard = shard;
  }

  async ask<Q extends QuestionName>(ask: Q, given: Given<Q>): Promise<Answer<Q>> {
    const { state } = this.#shard;
    return decodeAnswer(ask, await this.#shard.ask(encodeRequest({ state, ask, given })));
  }

  /** Returns the error for an answer that no shard gives. */
  bad(expected: string, got: string): SelfsameError {
    return new SelfsameError("BAD_SHARD", `expected ${expected} of shard "${this.prefix}", got ${got}`);
  }
}

/** Asks the shards of a library. */
export class ShardClients {
  readonly #shards: readonly ShardClient[];

  /** @throws {SelfsameError} SHARD_UNAVAILABLE if one is missing */
  constructor({ shards: facts }: WholeFacts, shards: readonly Shard[]) {
    this.#shards = facts.map(({ prefix, state }) => {
      const shard = shards.find((each) => each.prefix === prefix && each.state === state);
      if (shard !== undefined) return new ShardClient(shard);
      throw new SelfsameError(
        "SHARD_UNAVAILABLE",
        `expected a holder of shard "${prefix}" in the state ${state}, got none`,
        "Start a server that holds it",
        { details: { prefix, state } },
      );
    });
  }

  /** Asks every shard, all at once. Returns their answers by prefix ascending. */
  askAll<Q extends QuestionName>(ask: Q, given: Given<Q>): Promise<Answer<Q>[]> {
    return Promise.all(this.#shards.map((shard) => shard.ask(ask, given)));
  }

  /** Returns the shard that has a document, given by its id in hexadecimal; null if none can have it. */
  ownerOf(documentId: string): ShardClient | null {
    const id = fromHex(documentId);
    return this.#shards.find(({ prefix }) => isBelow(id, prefix)) ?? null;
  }

  /** Returns the shard that has a document which exists. */
  owner(documentId: string): ShardClient {
    const shard = this.ownerOf(documentId);
    if (shard !== null) return shard;
    throw new SelfsameError("BAD_SHARD", `expected a shard for the document ${documentId}, got none`);
  }
}
