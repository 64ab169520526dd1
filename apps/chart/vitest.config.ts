import { defineProject } from "vitest/config";

export default defineProject({
  test: {
    name: "chart",
    include: ["test/**/*.test.{ts,mjs}"],
    // Helm on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
