import { defineProject } from "vitest/config";

export default defineProject({
  test: {
    name: "submit",
    include: ["test/**/*.test.ts"],
    // Real processes on a busy machine.
    testTimeout: 60_000,
    expect: { poll: { timeout: 25_000 } },
  },
});
