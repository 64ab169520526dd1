import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "staging-server", include: ["test/**/*.test.ts"] } });
