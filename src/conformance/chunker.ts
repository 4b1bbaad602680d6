import { chunkDocument } from "../chunks/chunk.ts";
import type { ChunkParameters } from "../chunks/chunk-parameters.ts";
import type { Engine } from "../engine/engine.ts";
import { canonicalBytes } from "../text/canonical.ts";
import { Tokenizer } from "../text/tokenizer.ts";
import { readTokenizerFile, type TokenizerFile } from "../text/tokenizer-file.ts";
import { type Outcome, Tally } from "./outcome.ts";
import { codeOf } from "./text.ts";

/** test-vectors/chunker.json */
export interface ChunkerVectors {
  readonly vocabularies: { readonly tiny: object };
  readonly cases: readonly {
    readonly vocabulary: string;
    readonly parameters: ChunkParameters;
    readonly name: string;
    readonly path: string;
    readonly text: string;
    readonly chunks: readonly {
      readonly headingPath: readonly string[];
      readonly start: number;
      readonly end: number;
      readonly tokens: number;
    }[];
  }[];
  readonly invalid: readonly { readonly parameters: ChunkParameters; readonly code: string }[];
}

/**
 * Checks the chunker. `minilm` is the file whose sha256 the vectors name; without it, its cases are skipped. SPEC §11
 */
export function checkChunker(engine: Engine, vectors: ChunkerVectors, minilm?: TokenizerFile): Outcome {
  const tally = new Tally(minilm === undefined ? "chunker, tiny" : "chunker");
  engine.scope(() => {
    const tiny = new Tokenizer(engine, readTokenizerFile(JSON.stringify(vectors.vocabularies.tiny)));
    const tokenizers = new Map([["tiny", tiny]]);
    if (minilm !== undefined) tokenizers.set("minilm", new Tokenizer(engine, minilm));
    for (const { vocabulary, parameters, name, path, text, chunks } of vectors.cases) {
      const tokenizer = tokenizers.get(vocabulary);
      if (tokenizer === undefined) continue;
      const got = chunkDocument(tokenizer, path, canonicalBytes(engine, text), parameters);
      tally.record(`${vocabulary}: ${name}`, [
        ["ranges", chunks.map(rangeOf).join(" "), got.map(rangeOf).join(" ")],
        ["headings", headingsOf(chunks), headingsOf(got)],
        ["sequence", chunks.map((_, i) => i).join(" "), got.map(({ sequence }) => sequence).join(" ")],
      ]);
    }
    for (const { parameters, code } of vectors.invalid) {
      const work = () => chunkDocument(tiny, "a.md", canonicalBytes(engine, "a"), parameters);
      tally.record(`refused: ${JSON.stringify(parameters)}`, [["error", code, codeOf(work)]]);
    }
  });
  return tally.outcome();
}

function rangeOf({ start, end, tokens }: { start: number; end: number; tokens: number }): string {
  return `${start}-${end}:${tokens}`;
}

function headingsOf(chunks: readonly { readonly headingPath: readonly string[] }[]): string {
  return JSON.stringify(chunks.map(({ headingPath }) => headingPath));
}
