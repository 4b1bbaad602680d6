import { defineConfig } from "vitest/config";

// One browser at a time: they share the machine's cores, and some tests measure.
export default defineConfig({
  test: {
    include: ["test/browsers/**/*.test.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: "forks",
    fileParallelism: false,
  },
});
