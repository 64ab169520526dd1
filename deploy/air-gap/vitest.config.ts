import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { name: "air-gap", include: ["*.test.mjs"], testTimeout: 60_000, hookTimeout: 60_000 },
});
