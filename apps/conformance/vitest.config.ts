import { defineProject } from "vitest/config";

export default defineProject({
  test: {
    name: "conformance",
    include: ["test/**/*.test.ts"],
    // Real servers on a busy machine; above what a wait of the cases takes at most, so that it says itself what did not
    // come about.
    testTimeout: 240_000,
    hookTimeout: 60_000,
  },
});
