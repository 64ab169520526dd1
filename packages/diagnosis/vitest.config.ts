import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "diagnosis", include: ["test/**/*.test.ts"], testTimeout: 60_000 } });
