import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "staging-client", include: ["test/**/*.test.ts"] } });
