import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "differential", include: ["test/**/*.test.ts"] } });
