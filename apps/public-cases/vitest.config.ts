import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "public-cases", include: ["test/**/*.test.ts"] } });
