import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "test-cluster", include: ["test/**/*.test.ts"] } });
