import { defineConfig } from "vitest/config";

// `npm test` runs a share of every count; `npm run test:long` (mode "long") runs them all.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: "forks",
  },
});
