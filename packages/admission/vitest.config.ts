import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "admission", include: ["test/**/*.test.ts"], testTimeout: 60_000 } });
