import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "submit-cli", include: ["test/**/*.test.ts"] } });
