import { Segment } from "./segment.ts";
import type { Fork } from "./segment-tree.ts";
import type { VectorIndex } from "./vector-index.ts";

/**
 * Divides a segment at the next bit of its documents' ids. With indexes that hold the halves already it moves no vector,
 * so that an addition that splits a segment takes little longer than any other. SPEC §10.10
 *
 * @param whole returns the index of the segment
 * @param halfOf returns the index of a half, and whether it holds everything
 */
export function splitSegment(
  segment: Segment,
  whole: () => VectorIndex,
  halfOf: (prefix: string) => { readonly index: VectorIndex; readonly isFilled: boolean },
): Fork {
  const { prefix } = segment;
  const fork: Fork = { prefix, sides: [null, null], bound: segment.distinct };
  for (const [bit, owners] of segment.owners.divided(prefix.length).entries()) {
    const { index, isFilled } = halfOf(`${prefix}${bit}`);
    if (!isFilled) {
      owners.each((_, id) => {
        const vector = whole().vector(id);
        if (vector !== undefined) index.add(id, vector); // otherwise it is of a newer state than the vectors are
      });
    }
    if (index.size === 0) index.close();
    else fork.sides[bit] = Segment.of(`${prefix}${bit}`, index, owners);
  }
  segment.close();
  return fork;
}
