import { defineProject } from "vitest/config";

export default defineProject({
  test: { name: "spark-arguments", include: ["test/**/*.test.ts"], testTimeout: 60_000 },
});
