import { defineConfig } from "vitest/config";

// One browser at a time: they share the machine's cores, and some tests measure.
export default defineConfig({
  test: {
    include: ["test/browsers/**/*.test.ts"],
    globalSetup: ["test/fresh-build.ts"],
    setupFiles: ["test/plain-environment.ts"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: "forks",
    fileParallelism: false,
    // A browser's own process may die or stall by chance; what fails twice is ours.
    retry: 1,
  },
});
