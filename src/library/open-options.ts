import type { OpenOptions } from "./open.ts";

/** The names of all options: one that is spelled wrong would do nothing. Apart, for pages, which open nothing themselves. */
export const OPEN_OPTIONS: Readonly<Record<keyof OpenOptions, true>> = {
  model: true,
  knownModels: true,
  namespace: true,
  index: true,
  chunking: true,
  workers: true,
  timeoutMs: true,
  rebuild: true,
  signal: true,
  onRebuildProgress: true,
  files: true,
  modelUrl: true,
  build: true,
  source: true,
};
