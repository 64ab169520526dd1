import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "api-server", include: ["test/**/*.test.ts"], testTimeout: 60_000 } });
