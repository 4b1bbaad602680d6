import type { Explanation, SearchResult } from "selfsame/browser";

export type Channel = "semantic" | "lexical" | "sparse";

/** An entry in one of the lists. */
export interface Place {
  readonly chunkId: string;
  /** From 1. */
  readonly rank: number;
  readonly path: string;
  readonly chunkIndex: number;
  /** The innermost heading above the chunk; null if it has none, or if the chunk is not among the results. */
  readonly heading: string | null;
  /** The cosine, BM25, the sum of shared weights, or the fused score. */
  readonly value: number;
}

/** A line from an entry in a channel's list to the same chunk in the fused list. */
export interface Line {
  readonly chunkId: string;
  readonly channel: Channel;
  readonly from: number;
  readonly to: number;
}

export interface RankingDrawing {
  readonly semantic: readonly Place[];
  readonly lexical: readonly Place[];
  /** null if the sparse channel was not searched. */
  readonly sparse: readonly Place[] | null;
  readonly fused: readonly Place[];
  readonly lines: readonly Line[];
}

/** The lists, and the lines between them. */
export function rankingDrawing(
  explanation: Explanation,
  results: readonly Pick<SearchResult, "chunkId" | "headingPath">[] = [],
): RankingDrawing {
  const { semantic, lexical, sparse, fused } = explanation;
  const headings = new Map(results.map(({ chunkId, headingPath }) => [chunkId, headingPath.at(-1) ?? null]));
  const headingOf = (chunkId: string) => headings.get(chunkId) ?? null;
  const inFused = new Map(fused.map((place) => [place.chunkId, place]));
  const place = (chunkId: string, rank: number, value: number): Place[] => {
    const found = inFused.get(chunkId);
    // A filter applied after the channels may have removed it.
    return found === undefined
      ? []
      : [
          {
            chunkId,
            rank,
            path: found.path,
            chunkIndex: found.chunkIndex,
            heading: headingOf(chunkId),
            value,
          },
        ];
  };
  const lists = {
    semantic: semantic.flatMap(({ chunkId, rank, cosine }) => place(chunkId, rank, cosine)),
    lexical: lexical.flatMap(({ chunkId, rank, bm25 }) => place(chunkId, rank, bm25)),
    sparse: sparse?.flatMap(({ chunkId, rank, score }) => place(chunkId, rank, score)) ?? null,
    fused: fused.map(({ score, ...rest }) => ({ ...rest, heading: headingOf(rest.chunkId), value: score })),
  };
  const linesOf = (channel: Channel): Line[] =>
    (lists[channel] ?? []).map(({ chunkId, rank }) => ({
      chunkId,
      channel,
      from: rank,
      to: inFused.get(chunkId)!.rank,
    }));
  return { ...lists, lines: [...linesOf("semantic"), ...linesOf("lexical"), ...linesOf("sparse")] };
}
