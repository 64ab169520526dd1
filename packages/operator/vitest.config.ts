import { defineProject } from "vitest/config";

export default defineProject({
  test: {
    name: "operator",
    include: ["test/**/*.test.ts"],
    // Real servers on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
