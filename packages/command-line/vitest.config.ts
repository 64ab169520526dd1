import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "command-line", include: ["test/**/*.test.ts"], testTimeout: 60_000 } });
