import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "core-spec", include: ["test/**/*.test.ts"], testTimeout: 60_000 } });
