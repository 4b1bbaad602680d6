import type { Engine } from "../engine/engine.ts";
import { Tokenizer } from "../text/tokenizer.ts";
import { readTokenizerFile, type TokenizerFile } from "../text/tokenizer-file.ts";
import { type Outcome, Tally } from "./outcome.ts";
import { codeOf } from "./text.ts";

/** test-vectors/tokenizer.json */
export interface TokenizerVectors {
  readonly vocabularies: { readonly minilm: string; readonly tiny: object };
  readonly cases: readonly {
    readonly vocabulary: string;
    readonly name: string;
    readonly text: string;
    readonly limit: number;
    readonly ids: string;
    readonly offsets: string;
    readonly truncated: boolean;
  }[];
  readonly invalid: readonly {
    readonly name: string;
    readonly code: string;
    readonly member: readonly (string | number)[];
    readonly value: unknown;
  }[];
}

/**
 * Checks the tokenizer. `minilm` is the file whose sha256 the vectors name; without it, its cases are skipped. SPEC §6
 */
export function checkTokenizer(engine: Engine, vectors: TokenizerVectors, minilm?: TokenizerFile): Outcome {
  const tally = new Tally(minilm === undefined ? "tokenizer, tiny" : "tokenizer");
  engine.scope(() => {
    const tiny = JSON.stringify(vectors.vocabularies.tiny);
    const tokenizers = new Map([["tiny", new Tokenizer(engine, readTokenizerFile(tiny))]]);
    if (minilm !== undefined) tokenizers.set("minilm", new Tokenizer(engine, minilm));
    for (const { vocabulary, name, text, limit, ids, offsets, truncated } of vectors.cases) {
      const got = tokenizers.get(vocabulary)?.tokenize(text, limit);
      if (got === undefined) continue;
      tally.record(`${vocabulary}: ${name}`, [
        ["ids", ids, got.ids.join(" ")],
        ["offsets", offsets, got.offsets.join(" ")],
        ["truncated", String(truncated), String(got.truncated)],
      ]);
    }
  });
  for (const { name, code, member, value } of vectors.invalid) {
    const file = JSON.stringify(changed(vectors.vocabularies.tiny, member, value));
    const load = () => engine.scope(() => new Tokenizer(engine, readTokenizerFile(file)));
    tally.record(`refused: ${name}`, [["error", code, codeOf(load)]]);
  }
  return tally.outcome();
}

/** Returns a copy of `holder` in which the member at this path has this value. */
function changed(holder: unknown, [name, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (name === undefined) return value;
  const copy = Array.isArray(holder) ? [...holder] : { ...(holder as object) };
  const members = copy as Record<string | number, unknown>;
  members[name] = changed(members[name], rest, value);
  return copy;
}
