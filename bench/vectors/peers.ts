// What the benchmark compares with: classic HNSW, from bench/peers/vectors with its own package.json.
import { existsSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../peers/vectors");

/** One index of a peer. Points are in the form that it takes, made beforehand, so that no conversion is timed. */
export interface Peer {
  prepare(vector: Int16Array): unknown;
  add(point: unknown, label: number): void;
  setEf(ef: number): void;
  search(point: unknown, k: number): number[];
}

interface Peers {
  hnswlibNode(dim: number, capacity: number): Promise<Peer>;
  hnswlibWasm(dim: number, capacity: number): Promise<Peer>;
}

/** The peers, and how many times as fast Selfsame must answer at equal recall. */
export const RIVALS = [
  { name: "hnswlib-node", goal: 2.2, load: "hnswlibNode" },
  { name: "hnswlib-wasm", goal: 8, load: "hnswlibWasm" },
] as const;

export async function loadPeers(): Promise<Peers> {
  if (!existsSync(join(FOLDER, "node_modules")))
    throw new Error("the peers are not installed; run: npm --prefix bench/peers/vectors install");
  return (await import(join(FOLDER, "peers.mjs"))) as Peers;
}
