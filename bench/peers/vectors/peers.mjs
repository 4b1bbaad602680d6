// The peers of the vector benchmark behind one small interface: classic HNSW with M 16 and efConstruction 200, inner
// product of f32, one thread. They stand here, beside their own node_modules, so that the main install needs none of them.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const M = 16;
const EF_CONSTRUCTION = 200;
const SEED = 100;

/** hnswlib compiled to native code; it takes plain arrays. */
export async function hnswlibNode(dim, capacity) {
  const { HierarchicalNSW } = require("hnswlib-node");
  const index = new HierarchicalNSW("ip", dim);
  index.initIndex(capacity, M, EF_CONSTRUCTION, SEED);
  return {
    prepare: (vector) => Array.from(vector, (x) => x / 32767),
    add: (point, label) => index.addPoint(point, label),
    setEf: (ef) => index.setEf(ef),
    search: (point, k) => index.searchKnn(point, k).neighbors,
  };
}

/** hnswlib compiled to wasm; it was built for pages, and asks only whether there is a window. */
export async function hnswlibWasm(dim, capacity) {
  globalThis.window ??= globalThis;
  const entry = require.resolve("hnswlib-wasm/dist/hnswlib-317962d7.js");
  const { default: load } = await import(pathToFileURL(entry).href);
  const { HierarchicalNSW } = await load();
  const index = new HierarchicalNSW("ip", dim, "");
  index.initIndex(capacity, M, EF_CONSTRUCTION, SEED);
  return {
    prepare: (vector) => Float32Array.from(vector, (x) => x / 32767),
    add: (point, label) => index.addPoint(point, label, false),
    setEf: (ef) => index.setEfSearch(ef),
    search: (point, k) => index.searchKnn(point, k, undefined).neighbors,
  };
}
