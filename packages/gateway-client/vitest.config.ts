import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "gateway-client", include: ["test/**/*.test.ts"], testTimeout: 60_000 } });
