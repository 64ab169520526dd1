import { defineProject } from "vitest/config";

export default defineProject({
  test: {
    name: "dev",
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    // Real processes on a busy machine.
    testTimeout: 30_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
