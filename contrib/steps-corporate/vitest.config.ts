import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "steps-corporate", include: ["test/**/*.test.ts"] } });
