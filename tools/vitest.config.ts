import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { name: "tools", include: ["**/*.test.mjs"], testTimeout: 300_000, hookTimeout: 300_000, isolate: false },
});
