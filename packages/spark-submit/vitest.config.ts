import { defineProject } from "vitest/config";

export default defineProject({
  test: {
    name: "spark-submit",
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    // Real processes on a busy machine.
    testTimeout: 60_000,
  },
});
