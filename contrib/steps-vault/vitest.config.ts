import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "steps-vault", include: ["test/**/*.test.ts"] } });
