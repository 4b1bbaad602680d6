// Fusion, order and diversification (SPEC §16), written for clarity: binary32 by Math.fround, integers by BigInt.

export interface List {
  weight: number;
  ids: string[];
}

export interface Result {
  id: string;
  score: number;
  channels: number;
}

/** SPEC §16.1. Ids in the order in which they are first met. */
export function fuse(lists: readonly List[], k: number): Result[] {
  const ids = [...new Set(lists.flatMap((list) => list.ids))];
  return ids.map((id) => {
    let score = 0;
    let channels = 0;
    for (const list of lists) {
      const index = list.ids.indexOf(id);
      if (index === -1) continue;
      const place = Math.fround(Math.fround(k) + Math.fround(index + 1));
      score = Math.fround(score + Math.fround(Math.fround(list.weight) / place));
      channels++;
    }
    return { id, score, channels };
  });
}

export interface Place {
  path: string;
  sequence: number;
}

/** SPEC §16.2. The id stands for the chunk id. */
export function ordered(
  results: readonly Result[],
  places: Readonly<Record<string, Place>>,
  lists: readonly List[],
  preferCoverage: boolean,
): string[] {
  if (lists.filter(({ ids }) => ids.length > 0).length < 2) return results.map(({ id }) => id);
  const bytes = (text: string): Buffer => Buffer.from(text, "utf8");
  const before = (a: Result, b: Result): number => {
    if (a.score !== b.score) return b.score - a.score;
    if (preferCoverage && a.channels !== b.channels) return b.channels - a.channels;
    const [x, y] = [places[a.id]!, places[b.id]!];
    if (x.path !== y.path) return Buffer.compare(bytes(x.path), bytes(y.path));
    if (x.sequence !== y.sequence) return x.sequence - y.sequence;
    return Buffer.compare(bytes(a.id), bytes(b.id));
  };
  return [...results].sort(before).map(({ id }) => id);
}

function dot(a: Int16Array, b: Int16Array): bigint {
  return a.reduce((sum, x, i) => sum + BigInt(x) * BigInt(b[i]!), 0n);
}

/** SPEC §16.3 */
export function diversify(
  vectors: readonly Int16Array[],
  query: Int16Array,
  lambda: number,
  count: number,
): number[] {
  const chosen: number[] = [];
  const value = (i: number): bigint => {
    const near = chosen.map((j) => dot(vectors[i]!, vectors[j]!));
    const nearest = near.length === 0 ? 0n : near.reduce((a, b) => (a > b ? a : b));
    return BigInt(lambda) * dot(vectors[i]!, query) - BigInt(1000 - lambda) * nearest;
  };
  while (chosen.length < Math.min(count, vectors.length)) {
    let best = -1;
    for (const i of vectors.keys()) {
      if (!chosen.includes(i) && (best === -1 || value(i) > value(best))) best = i;
    }
    chosen.push(best);
  }
  return chosen;
}

/** dot / 32767². */
export const cosine = (a: Int16Array, b: Int16Array): number => Number(dot(a, b)) / 32767 ** 2;

/** A vector of length 1 times 32767, rounded. */
export function unitVector(values: readonly number[]): Int16Array {
  const norm = Math.sqrt(values.reduce((sum, x) => sum + x * x, 0));
  return Int16Array.from(values, (x) => (norm === 0 ? 0 : Math.round((32767 * x) / norm)));
}
