import { defineProject } from "vitest/config";

export default defineProject({
  test: {
    name: "staging-server",
    include: ["test/**/*.test.ts"],
    // Real servers and processes on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 25_000 } },
  },
});
