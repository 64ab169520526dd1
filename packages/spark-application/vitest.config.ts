import { defineProject } from "vitest/config";

export default defineProject({
  test: { name: "spark-application", include: ["test/**/*.test.ts"], testTimeout: 60_000 },
});
