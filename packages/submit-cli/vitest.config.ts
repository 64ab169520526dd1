import { defineProject } from "vitest/config";

export default defineProject({
  test: {
    name: "submit-cli",
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    // Real processes on a busy machine.
    testTimeout: 60_000,
    expect: { poll: { timeout: 25_000 } },
  },
});
