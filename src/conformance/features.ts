import { toHex } from "../engine/digest.ts";
import { linksIn } from "../recall/links.ts";
import { signatureOf } from "../search/signature.ts";
import { utf8 } from "../text/canonical.ts";
import { searchText } from "../text/search-text.ts";
import { printHex } from "./hex.ts";
import { type Outcome, Tally } from "./outcome.ts";

/** test-vectors/features.json */
export interface FeatureVectors {
  readonly cases: readonly {
    readonly name: string;
    readonly text: string;
    readonly headings: string;
    readonly simHash: string;
    readonly termNorm: string;
  }[];
  readonly links: readonly {
    readonly name: string;
    readonly path: string;
    readonly text: string;
    readonly metadata: object | null;
    readonly links: Readonly<Record<string, readonly string[] | undefined>>;
  }[];
}

/** SPEC §16.6, §26.3, §26.4 */
export function checkFeatures(vectors: FeatureVectors): Outcome {
  const tally = new Tally("features");
  for (const { name, text, headings, simHash, termNorm } of vectors.cases) {
    const got = signatureOf(searchText(text), searchText(headings));
    tally.record(`terms: ${name}`, [
      ["simHash", simHash, toHex(got.simHash)],
      ["termNorm", termNorm, printHex([got.termNorm], 8)],
    ]);
  }
  for (const { name, path, text, metadata, links } of vectors.links) {
    const got: Record<string, string[]> = {};
    const given = { path, text: utf8(text), metadata: metadata === null ? null : JSON.stringify(metadata) };
    for (const { kind, target } of linksIn(given)) {
      got[kind] ??= [];
      got[kind].push(target);
    }
    const kinds = [...new Set([...Object.keys(links), ...Object.keys(got)])];
    tally.record(
      `links: ${name}`,
      kinds.map((kind) => [kind, JSON.stringify(links[kind] ?? []), JSON.stringify(got[kind] ?? [])]),
    );
  }
  return tally.outcome();
}
