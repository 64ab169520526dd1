import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "devcluster", include: ["test/**/*.test.ts"] } });
