import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "steps-labels", include: ["test/**/*.test.ts"] } });
