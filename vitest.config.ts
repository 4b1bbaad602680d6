import { defineConfig } from "vitest/config";

// `npm test` runs a share of every count; `npm run test:long` (mode "long") runs them all.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // They need Chromium and Firefox: `npm run test:browsers`.
    exclude: ["test/browsers/**"],
    globalSetup: ["test/fresh-build.ts"],
    setupFiles: ["test/plain-environment.ts"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: "forks",
    // Vitest would leave a core of two idle; tests do not measure time.
    maxWorkers: "100%",
  },
});
