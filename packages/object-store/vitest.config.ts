import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "object-store", include: ["test/**/*.test.ts"], testTimeout: 60_000 } });
