import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "create-step", include: ["test/**/*.test.ts"], testTimeout: 60_000 } });
